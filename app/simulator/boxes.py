"""Rectangles of camera pixels that must be drawn again: (left, top, right, bottom), the last two exclusive."""

from collections.abc import Iterable

Box = tuple[int, int, int, int]


def grow(box: Box, by: int, size_px: tuple[int, int]) -> Box:
    """`box` with `by` more px on each side, within a picture of `size_px`."""
    return clip((box[0] - by, box[1] - by, box[2] + by, box[3] + by), size_px)


def clip(box: Box, size_px: tuple[int, int]) -> Box:
    """The part of `box` inside a picture of `size_px`; may be empty."""
    return (max(0, box[0]), max(0, box[1]), min(size_px[0], box[2]), min(size_px[1], box[3]))


def area(box: Box) -> int:
    """Pixels in `box`, 0 if it is empty."""
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])


def touch(a: Box, b: Box) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def around(a: Box, b: Box) -> Box:
    """The smallest box around both."""
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


def merge(boxes: Iterable[Box], size_px: tuple[int, int]) -> tuple[Box, ...]:
    """Boxes that cover the same pixels without sharing any; those that touch or nearly fill their union are joined."""
    out: list[Box] = []
    for box in (clip(b, size_px) for b in boxes):
        if area(box) == 0:
            continue
        joined = box
        searching = True
        while searching:
            searching = False
            for other in out:
                union = around(joined, other)
                if touch(joined, other) or area(union) <= 1.2 * (area(joined) + area(other)):
                    out.remove(other)
                    joined = union
                    searching = True
                    break
        out.append(joined)
    return tuple(out)
