"""The network of the embedding and its heads, in PyTorch."""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

SIZE: Final = 128
"""Length of an embedding."""
PROXIES: Final = 3
"""Points a class of cards has in the space of embeddings: chaff of one month are one class and look unlike."""
SHARP: Final = 18.0
_WIDTHS: Final = (20, 40, 96, 160)


class Net(nn.Module):
    """Crops and masks to unit embeddings, cosines to the classes, and the logits that it is a card and stands upright.

    `forward` takes crops (N, 3, 104, 64), 0–255 in BGR, and masks (N, 1, 104, 64), 1 where the card is visible. What is
    hidden has no say: the statistics are taken under the mask, and hidden places of the last map are 0.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        a, b, c, d = _WIDTHS
        self.low = nn.Sequential(_layer(4, a, 2), _layer(a, b, 2), _layer(b, c, 2))
        self.mid = _layer(c, c, 1)
        self.high = _layer(c, d, 2)
        self.squeeze = nn.Sequential(nn.Conv2d(d, 64, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU())
        self.flat = nn.Linear(64 * 7 * 4, SIZE)
        self.proxies = nn.Parameter(torch.randn(classes * PROXIES, SIZE))
        self.heads = nn.Linear(64 * 7 * 4, 2)
        self.classes = classes

    def forward(self, crops: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Embeddings (N, 128), cosines to classes (N, C), and logits (N, 2): is a card, stands on its head."""
        return self.read(prepared(crops, masks))

    def read(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same from `prepared` planes (N, 4, 104, 64)."""
        shown = functional.avg_pool2d(planes[:, 3:], 16, 16, ceil_mode=True, count_include_pad=False)
        share = planes[:, 3:].mean(dim=(2, 3), keepdim=True).clamp(min=0.01)
        maps = self.low(planes)
        maps = self.high(maps + self.mid(maps))
        maps = self.squeeze(maps) * (shown / share)
        flat = functional.dropout(maps.flatten(1), 0.1, self.training)
        vectors = functional.normalize(self.flat(flat), dim=1)
        cosines = vectors @ functional.normalize(self.proxies, dim=1).T
        best = cosines.view(-1, self.classes, PROXIES).amax(dim=2)
        return vectors, best, self.heads(flat)


def prepared(crops: Tensor, masks: Tensor) -> Tensor:
    """Crops freed of light: mean 0 and spread 1 over what is visible, 0 where hidden, and the mask; (N, 4, 104, 64)."""
    share = masks.mean(dim=(2, 3), keepdim=True).clamp(min=0.01)
    mean = (crops * masks).mean(dim=(2, 3), keepdim=True) / share
    centred = (crops - mean) * masks
    spread = (centred.square().mean(dim=(1, 2, 3), keepdim=True) / share + 25.0).sqrt()
    return torch.cat([centred / spread, masks], dim=1)


def _layer(inward: int, outward: int, stride: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU())
