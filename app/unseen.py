"""What is raised where the camera sees nothing for now: the game waits, and the mat says why."""

from engine.errors import DeviceError
from engine.events import Words


class Unseen(DeviceError):  # noqa: N818  (it passes)
    """There is no picture for now; `words` is what the players are told, the error's text what the operator is."""

    def __init__(self, words: Words, why: str) -> None:
        super().__init__(why)
        self.words = words
