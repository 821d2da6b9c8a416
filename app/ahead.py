"""Runs an iterator one step ahead in a thread: decoding the next frame costs the pipeline no time."""

import queue
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    error: BaseException | None


def ahead(items: Iterator[T], depth: int = 2) -> Generator[T, None, None]:
    """`items` in order, the next `depth` of them made in a thread. What it raises is raised here, after the rest.

    Closing the iterator ends the thread after the item it is at.
    """
    waiting: queue.Queue[T | _Done[T]] = queue.Queue(depth)
    wanted = threading.Event()
    wanted.set()

    def work() -> None:
        error: BaseException | None = None
        try:
            for item in items:
                if not wanted.is_set():
                    return
                waiting.put(item)
        except Exception as problem:  # handed to the reader below
            error = problem
        waiting.put(_Done(error))

    thread = threading.Thread(target=work, name="ahead", daemon=True)
    thread.start()
    try:
        while True:
            item = waiting.get()
            if isinstance(item, _Done):
                if item.error is not None:
                    raise item.error
                return
            yield item
    finally:
        wanted.clear()
        while thread.is_alive():
            try:
                waiting.get(timeout=0.02)
            except queue.Empty:
                continue
