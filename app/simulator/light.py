"""The projector's light: the picture that was shown, some frames late, as brightness in every camera pixel."""

import cv2
import numpy as np
from numpy.typing import NDArray

from app.simulator.boxes import Box, area, clip, grow
from app.simulator.rig import Rig
from engine.errors import DeviceError


class Light:
    """Room light plus projected light on the plane of the mat, in the camera's view.

    The square root of linear light is kept (`level`, float32 (H, W, 3) BGR): a surface seen under it is the product,
    as picture values are square roots of light too (gamma 2).
    """

    def __init__(self, rig: Rig, room: NDArray[np.float32], gain: float, delay_frames: int) -> None:
        self._rig = rig
        self._room = np.asarray(room * room, dtype=np.float32)
        self._delay = delay_frames
        self._coming: list[tuple[int, NDArray[np.uint8]]] = []
        self._frame = 0
        self.level: NDArray[np.float32] = np.array(room, dtype=np.float32)
        self._picture = np.zeros((rig.projector_px[1], rig.projector_px[0], 3), dtype=np.uint8)
        self._maps: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        ramp = np.linspace(0, 1, 256, dtype=np.float32)
        self._linear = np.asarray(ramp * ramp * np.float32(gain), dtype=np.float32)
        self._coarse = 2 if rig.projector_px[0] > 1.4 * rig.size_px[0] else 1

    def show(self, bgr: NDArray[np.uint8]) -> None:
        """Project a picture, uint8 (H, W, 3) BGR in projector px; it is seen `delay_frames` frames later."""
        if bgr.shape != self._picture.shape or bgr.dtype != np.uint8:
            width, height = self._rig.projector_px
            raise DeviceError(f"the simulated projector takes {width}x{height} pictures, got an array {bgr.shape}")
        due = self._frame + self._delay
        self._coming = [(at, picture) for at, picture in self._coming if at < due]
        self._coming.append((due, bgr.copy()))

    def hang(self, rig: Rig) -> None:
        """Camera, projector or mat are elsewhere: what is projected falls there at once."""
        self._rig = rig
        self._maps = None
        self._warp((0, 0, *rig.size_px))

    def advance(self) -> tuple[Box, ...]:
        """One frame later: the camera boxes where the light has changed (none or one)."""
        due = [picture for at, picture in self._coming if at <= self._frame]
        self._coming = [(at, picture) for at, picture in self._coming if at > self._frame]
        self._frame += 1
        return self._apply(due[-1]) if due else ()

    def _apply(self, picture: NDArray[np.uint8]) -> tuple[Box, ...]:
        difference = cv2.absdiff(picture, self._picture).reshape(picture.shape[0], -1)
        x, top, width, height = cv2.boundingRect(difference)
        if width == 0:
            return ()
        self._picture = picture
        left, right = x // 3, (x + width - 1) // 3 + 1
        bottom = top + height
        box = self._seen((left, top, right, bottom))
        if area(box) == 0:
            return ()
        self._warp(box)
        return (box,)

    def _seen(self, box: Box) -> Box:
        """The camera box on which a box of projector px falls."""
        left, top, right, bottom = box
        x, y = np.linspace(left - 2, right + 2, 9), np.linspace(top - 2, bottom + 2, 9)
        edge = np.concatenate(
            [np.stack(np.broadcast_arrays(x, end), axis=-1) for end in (y[0], y[-1])]
            + [np.stack(np.broadcast_arrays(end, y), axis=-1) for end in (x[0], x[-1])]
        )
        px = self._rig.view.camera_px(self._rig.projector_from_table.inverse.map(edge))
        low, high = np.floor(px.min(axis=0)).astype(int).tolist(), np.ceil(px.max(axis=0)).astype(int).tolist()
        return grow(clip((low[0], low[1], high[0] + 1, high[1] + 1), self._rig.size_px), 2, self._rig.size_px)

    def _warp(self, box: Box) -> None:
        if self._maps is None:
            self._maps = self._projector_px_of_camera_px()
        here = (slice(box[1], box[3]), slice(box[0], box[2]))
        source = self._picture
        if self._coarse > 1:
            height, width = source.shape[:2]
            size = (width // self._coarse, height // self._coarse)
            source = np.asarray(cv2.resize(source, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        fallen = cv2.remap(source, self._maps[0][here], self._maps[1][here], cv2.INTER_LINEAR)
        self.level[here] = cv2.sqrt(cv2.add(self._room[here], cv2.LUT(fallen, self._linear)))

    def _projector_px_of_camera_px(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For each camera px where the projector's picture is read, columns and rows, each float32 (H, W)."""
        x, y = self._rig.for_each_px(lambda mm: self._rig.projector_from_table.map(mm))
        x, y = (((part + 0.5) / self._coarse - 0.5).astype(np.float32) for part in (x, y))
        return x, y
