"""Finds four-sided things that could be cards in any picture, by several cues that fail in different light."""

from collections.abc import Iterator
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_LEAST_SIDE_PX: Final = 14.0
_FILL: Final = (0.82, 1.22)  # area of the outline ÷ area of the quad put on it
_FLAT_ASPECT: Final = (1.30, 2.05)  # long ÷ short side once the perspective is taken out; cards have 1.64
_FOCAL: Final = (0.3, 0.8, 1.4)  # focal lengths in units of the longer side; short ones trust a noisy slant less


def find_quads(image: NDArray[np.uint8], limit: int = 400) -> NDArray[np.float32]:
    """Corners of possible cards in `image`, uint8 (H, W, 3) BGR, float32 (N, 4, 2) px, clockwise, likeliest first.

    The first side of each is a short one, so that it may be the card's top or bottom. Outlines found by several cues
    come first and once. At most `limit`; none in a picture without outlines.
    """
    size = (image.shape[1], image.shape[0])
    found: list[NDArray[np.float32]] = []
    outlines: list[NDArray[np.int32]] = []
    for mask in _cues(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if len(contour) > 4 * _LEAST_SIDE_PX:
                outline = np.asarray(contour, np.int32).reshape(-1, 2)
                quad = _quad_of(outline)
                if quad is not None and _within(quad, size):
                    found.append(quad)
                    outlines.append(outline)
    orders = [order for i in _distinct(found) for order in upright_orders(_refitted(found[i], outlines[i]), size)]
    return np.stack(orders[:limit]) if orders else np.zeros((0, 4, 2), np.float32)


def upright_orders(quad: NDArray[np.float32], size_px: tuple[int, int]) -> list[NDArray[np.float32]]:
    """The clockwise orders of `quad` (4, 2) that make its first side a short one of a card; none if it is no card.

    Both where the perspective leaves open which side is short. `size_px` is the picture's width and height.
    """
    orders = []
    for quarter in (0, 1):
        turned = np.roll(quad, quarter, axis=0)
        if is_card_view(turned, size_px):
            orders.append(turned)
    return orders


def is_card_view(quad: NDArray[np.float32], size_px: tuple[int, int]) -> bool:
    """Whether some camera may see an upright card as `quad` (4, 2) in a picture of that width and height."""
    aspects = [flat_aspect(quad, size_px, focal) for focal in _FOCAL]
    return max(aspects) >= _FLAT_ASPECT[0] and min(aspects) <= _FLAT_ASPECT[1]


def flat_aspect(quad: NDArray[np.float32], size_px: tuple[int, int], focal: float) -> float:
    """Height ÷ width of the flat rectangle that a camera sees as `quad` (4, 2), its first side the width.

    `focal` is the focal length in units of the picture's longer side, the principal point its middle (after Zhang and
    He, "Whiteboard scanning", 2006). 0 for quads that are no view of a rectangle.
    """
    scale = focal * max(size_px)
    points = (quad - np.asarray(size_px, np.float32) / 2) / scale
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    columns = cv2.getPerspectiveTransform(square, points.astype(np.float32))
    width, height = float(np.linalg.norm(columns[:, 0])), float(np.linalg.norm(columns[:, 1]))
    return height / width if width > 1e-9 and np.isfinite(width + height) else 0.0


def area(quads: NDArray[Any]) -> NDArray[np.float64]:
    """Signed area in px² of quads (..., 4, 2); positive if clockwise as seen in a picture."""
    x, y = np.asarray(quads, np.float64)[..., 0], np.asarray(quads, np.float64)[..., 1]
    return np.asarray((x * np.roll(y, -1, -1) - np.roll(x, -1, -1) * y).sum(-1) / 2)


def overlap(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Intersection over union (0–1) of two convex quads (4, 2)."""
    common, _ = cv2.intersectConvexConvex(np.asarray(first, np.float32), np.asarray(second, np.float32))
    union = abs(float(area(first))) + abs(float(area(second))) - common
    return float(common / union) if union > 0 else 0.0


def _cues(image: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Binary pictures whose outlines may be cards: lightness, colour, distance from the table, frames, edges."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1.0)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab)
    side = max(image.shape[:2])
    channels = [np.ascontiguousarray(lab[..., k]) for k in range(3)]
    light = channels[0]
    planes = [*channels, _unlike_table(lab), smooth.max(axis=2) - smooth.min(axis=2)]
    for plane in planes:
        _, mask = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield np.asarray(mask, np.uint8)
        yield _opened(mask, max(3, side // 150))
        yield _opened(255 - mask, max(3, side // 150))
    for share, offset in ((24, 6), (8, 8)):
        for sign in (1, -1):
            block = side // share | 1
            kind = cv2.THRESH_BINARY if sign < 0 else cv2.THRESH_BINARY_INV
            mask = cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, max(block, 3), sign * offset)
            yield np.asarray(mask, np.uint8)
            yield _opened(mask, 3)
    for dark in (60, 90):
        yield np.asarray((light < dark).astype(np.uint8) * 255)
    for low, high in ((20, 60), (60, 150)):
        edges = np.zeros_like(light)
        for channel in channels:
            edges = np.maximum(edges, cv2.Canny(channel, low, high))
        yield cv2.dilate(edges, np.ones((3, 3), np.uint8)).astype(np.uint8)


def _opened(mask: NDArray[Any], size: int) -> NDArray[np.uint8]:
    """`mask` without bridges thinner than `size` px, so that touching things part."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)


def _unlike_table(lab: NDArray[Any]) -> NDArray[np.uint8]:
    """Distance of each pixel from the commonest colour of the picture, which is the table's more often than not."""
    coarse = cv2.resize(lab, (64, 64), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    bins = coarse.astype(np.int32) // 12
    keys = bins @ np.array([1024, 32, 1])
    values, counts = np.unique(keys, return_counts=True)
    table = np.median(coarse[keys == values[counts.argmax()]], axis=0)
    distance = np.abs(lab.astype(np.float32) - table.astype(np.float32)) * np.array([0.5, 2, 2], np.float32)
    return np.asarray(np.clip(distance.sum(axis=2), 0, 255), np.uint8)


def _quad_of(contour: NDArray[np.int32]) -> NDArray[np.float32] | None:
    """The quad that fits an outline (N, 2): its polygon of four sides, else its rectangle; None if neither does."""
    extent = contour.max(axis=0) - contour.min(axis=0)
    if extent.max() < 1.6 * _LEAST_SIDE_PX or extent.min() < _LEAST_SIDE_PX:
        return None
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.04, 0.07):
        polygon = cv2.approxPolyDP(hull, share * length, True)
        if len(polygon) == 4:
            quad = _clockwise(polygon.reshape(4, 2).astype(np.float32))
            return quad if _fits(quad, hull_area) else None
    box = _clockwise(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32))
    return box if _fits(box, hull_area) else None


def _clockwise(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    return quad if area(quad) > 0 else np.ascontiguousarray(quad[::-1])


def _fits(quad: NDArray[np.float32], outline_area: float) -> bool:
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    own = float(area(quad))
    if not np.all(np.isfinite(quad)) or own <= 0 or not cv2.isContourConvex(quad):
        return False
    opposite = min(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    return bool(sides.min() >= _LEAST_SIDE_PX and opposite > 0.5 and _FILL[0] < outline_area / own < _FILL[1])


def _refitted(quad: NDArray[np.float32], contour: NDArray[np.int32]) -> NDArray[np.float32]:
    """`quad` with each side fitted to the outline's points along its middle, so that round corners do not cut it."""
    lines = []
    points = contour.astype(np.float32)
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        if length < 1:
            return quad
        along = along / length
        offset = points - start
        t = offset @ along
        off = np.abs(offset @ np.array([-along[1], along[0]]))
        near = points[(t > 0.12 * length) & (t < 0.88 * length) & (off < max(2.0, 0.04 * length))]
        if len(near) < 6:
            return quad
        vx, vy, x, y = cv2.fitLine(near[:: 1 + len(near) // 60], cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(-1).tolist()
        lines.append((vy, -vx, vy * x - vx * y))
    corners = []
    for (a, b, c), (d, e, f) in zip(np.roll(lines, 1, axis=0), lines, strict=True):
        det = a * e - b * d
        if abs(det) < 0.1:
            return quad
        corners.append(((c * e - b * f) / det, (a * f - c * d) / det))
    refitted = np.array(corners, np.float32)
    return refitted if _fits(refitted, float(area(quad))) else quad


def _within(quad: NDArray[np.float32], size_px: tuple[int, int]) -> bool:
    """Whether the quad lies in the picture, but for a few per cent, and is not the picture's own border."""
    slack = 0.04 * max(size_px)
    limits = np.asarray(size_px, np.float32) - 1
    if np.any(quad < -slack) or np.any(quad > limits + slack):
        return False
    return float(area(quad)) < 0.95 * size_px[0] * size_px[1]


def _distinct(quads: list[NDArray[np.float32]]) -> list[int]:
    """The index of one quad for each group of nearly equal ones, groups that more cues agree on first."""
    if not quads:
        return []
    stack = np.stack(quads)
    # Where an outline starts is chance: the corners are sorted so that equal quads have equal rows.
    first = np.argmin(stack.sum(axis=2), axis=1)
    flat = np.stack([np.roll(q, -k, axis=0) for q, k in zip(stack, first.tolist(), strict=True)]).reshape(-1, 8)
    sizes = np.sqrt(np.abs(area(stack)))
    counts: list[int] = []
    kept: list[int] = []
    for i in np.argsort(-sizes, kind="stable").tolist():
        if kept:
            gaps = np.abs(flat[kept] - flat[i]).max(axis=1) / sizes[i]
            close = int(gaps.argmin())
            if gaps[close] < 0.03:
                counts[close] += 1
                continue
        kept.append(i)
        counts.append(1)
    return [kept[k] for k in np.argsort(-np.asarray(counts), kind="stable").tolist()]
