"""A second look at few doubtful cards of the live table: correlation and the trained embedding together.

The crops come from the camera's own picture, as fine as that is; what lies over a card or is lit by us is masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.embedding import CROP_PX, Embedding, embedding
from vision.naming import joined
from vision.raster import CARD_TOP_MM, TableRaster
from vision.rectify import Found, Picture, card_corners, wrapped
from vision.search import FINE, Finder

_SQUARE: Final = np.array([[0, 0], [CROP_PX[0], 0], [CROP_PX[0], CROP_PX[1]], [0, CROP_PX[1]]], np.float32) - 0.5


class Naming(StrEnum):
    """By what doubtful cards are named; all but `BOTH` are there to show what each part is worth."""

    BOTH = "both"
    CORRELATION = "correlation"
    EMBEDDING = "embedding"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Opinion:
    """A card named anew: `found` with its correlation, the joined likeness `score` (−1 to 1) and its `lead`.

    The lead is over the best card of another month or rank. `is_card` (0–1): does any card lie there as cut?
    """

    found: Found
    score: float
    lead: float
    is_card: float


class SecondLook:
    """Names cards by correlation and embedding; nothing is loaded before the first question."""

    def __init__(self, finder: Finder, naming: Naming = Naming.BOTH) -> None:
        self.finder = finder
        self.naming = naming

    @cached_property
    def _eyes(self) -> Embedding:
        return embedding()

    @cached_property
    def _known(self) -> NDArray[np.float32]:
        """Vectors (C, 128) of the enrolled pictures, in the order of the finder's cards."""
        return self._eyes.look([self.finder.images[card] for card in self.finder.fine.cards]).vectors

    def opinions(
        self,
        image: NDArray[np.uint8],
        raster: TableRaster,
        picture: Picture,
        founds: Sequence[Found],
        cards: Sequence[Card | None],
    ) -> list[Opinion]:
        """What of `cards` lies at each of `founds`, poses in px of `picture`, a cut of the camera's `image`."""
        if not founds:
            return []
        rows = self.finder.fine.rows_of(cards)
        poses = np.array([[found.u, found.v, found.angle_rad] for found in founds])
        both_ways = self.finder.score(picture, poses, rows).reshape(len(founds), -1, 2)
        places = rows[::2] // 2
        masks = picture.share(picture.open_, poses, self.finder.fine.size_px, FINE)
        shares = masks.mean(axis=1)
        likeness, is_card = both_ways.max(axis=2), np.ones(len(founds), np.float32)
        if self.naming is not Naming.CORRELATION:
            width, height = self.finder.fine.size_px
            crops = np.stack([self._crop(image, raster, picture, found) for found in founds])
            seen = masks.reshape(len(founds), height, width) > 0
            look = self._eyes.look(crops, None if seen.all() or not self.finder.masked else seen)
            cosines, is_card = look.vectors @ self._known[places].T, look.card
            likeness = cosines if self.naming is Naming.EMBEDDING else joined(likeness, cosines, shares)
        return [
            self._opinion(founds[i], both_ways[i], likeness[i], float(shares[i]), float(is_card[i]), places)
            for i in range(len(founds))
        ]

    def _opinion(
        self,
        found: Found,
        correlated: NDArray[np.float32],
        likeness: NDArray[np.float32],
        visible: float,
        is_card: float,
        places: NDArray[np.intp],
    ) -> Opinion:
        cards = [self.finder.fine.cards[place] for place in places]
        first = int(likeness.argmax())
        others = [i for i, card in enumerate(cards) if _face(card) != _face(cards[first])]
        second = max(others, key=lambda i: float(likeness[i]), default=None)
        turned = bool(correlated[first, 1] > correlated[first, 0])
        named = replace(
            found,
            card=cards[first],
            angle_rad=wrapped(found.angle_rad + (np.pi if turned else 0.0)),
            score=float(correlated[first].max()),
            visible=visible,
            rival=None if second is None else cards[second],
            rival_score=-1.0 if second is None else float(correlated[second].max()),
        )
        lead = 1.0 if second is None else float(likeness[first] - likeness[second])
        return Opinion(named, float(likeness[first]), lead, is_card)

    def _crop(self, image: NDArray[np.uint8], raster: TableRaster, picture: Picture, found: Found) -> NDArray[np.uint8]:
        """The card at `found`, cut out of the camera's picture, as the embedding takes it."""
        corners = card_corners(found, self.finder.card_mm, picture.scale)
        corners += np.array([picture.box.u0, picture.box.v0])
        px = raster.view.camera_px(raster.mm(corners), CARD_TOP_MM).astype(np.float32)
        warp = cv2.getPerspectiveTransform(_SQUARE, px)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        crop: Any = cv2.warpPerspective(image, warp, CROP_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(crop, np.uint8)


def _face(card: Card | None) -> object:
    return "back" if card is None else card.face
