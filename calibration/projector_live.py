"""The projector's step live: looks at the camera and the mat, shows the patterns, falls back to Gray code."""

from collections.abc import Callable, Mapping

import numpy as np

from calibration import graycode, patterns
from calibration.mat_pose import find_mat
from calibration.photographs import Photographs, Stage, photo, take
from calibration.profile import Profile
from calibration.projector_step import Outcome, calibrate_projector, check_camera, needs_code

_LOOKS = 4


def calibrate_live(
    stage: Stage,
    size_px: tuple[int, int],
    profile: Profile,
    camera_id: str | None,
    made_at: str = "",
    display: Mapping[str, str | float] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """The whole step on a stage with a projector of `size_px`. Raises Refusal.

    What can be said without projecting is said first: another camera, another size, markers that are not right.
    """
    stage.show(np.zeros((size_px[1], size_px[0]), dtype=np.uint8))
    images = [stage.read().image for _ in range(_LOOKS)]
    dark = photo(images[1:])
    check_camera(Photographs({patterns.IDLE: dark}), profile, camera_id)
    if profile.table.markers is not None:
        find_mat(dark.grey, profile.table.markers, profile.camera.lens, judge_scale=False)
    photos = take(stage, size_px, patterns.names(), say)
    if needs_code(photos, profile, size_px):
        say("the boards are hard to read on this cloth: stripes of Gray code")
        photos = take(stage, size_px, (*patterns.names(), *graycode.code_names()), say)
    return calibrate_projector(photos, profile, size_px, made_at, display, camera_id)
