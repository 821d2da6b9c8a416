"""Writes a trained net as ONNX, with what the run time must know in the file's own notes."""

import json
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.embedding import CROP_PX, FACES
from vision.training.net import SHARP, Net

UNTRUSTED = (-8.0, 8.0, 8.0, 8.0, 2.0, 1.0)
"""Weights of the confidence before they are fitted."""


class _AsGiven(nn.Module):
    """The net on crops and masks as the run time has them, (N, 104, 64, 3) and (N, 104, 64)."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: Tensor, masks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        vectors, cosines, heads = self.net(crops.permute(0, 3, 1, 2), masks[:, None])
        return vectors, cosines, heads


def export(net: Net, path: Path, trust: Sequence[float] = UNTRUSTED) -> None:
    """Writes `net` to `path` with the weights of its confidence, whole or not at all."""
    import onnx

    net = net.eval()
    scratch = path.with_suffix(".part")
    sample = torch.rand(2, CROP_PX[1], CROP_PX[0], 3) * 255
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter that is to replace this one needs a further package
        torch.onnx.export(
            _AsGiven(net).eval(),
            (sample, torch.ones(sample.shape[:3])),
            str(scratch),
            input_names=["crops", "masks"],
            output_names=["vectors", "cosines", "heads"],
            dynamic_axes={name: {0: "n"} for name in ("crops", "masks", "vectors", "cosines", "heads")},
            opset_version=17,
            dynamo=False,
        )
    model = onnx.load(str(scratch))
    notes = {"faces": json.dumps(FACES), "sharp": str(SHARP), "trust": json.dumps(list(trust))}
    onnx.helper.set_model_props(model, notes)
    onnx.save(model, str(scratch))
    scratch.rename(path)
