from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch

from vision.deck import find_deck, load_deck
from vision.embedding import FACES, Embedding
from vision.training.export import export
from vision.training.learn import Run, draw_batch, losses_of, train
from vision.training.net import Net
from vision.training.pool import fill_pool
from vision.training.prints import print_of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("pool")
    fill_pool(folder, [print_of(load_deck(find_deck("tsuki")), "tsuki")], 2, 1)
    return Run(tuple(sorted(folder.glob("*.npz"))), 3, 1)


def test_a_step_draws_the_same_batch_again(run: Run) -> None:
    first, again, other = draw_batch(run, 0), draw_batch(run, 0), draw_batch(run, 1)
    assert torch.equal(first.crops, again.crops) and torch.equal(first.masks, again.masks)
    assert not torch.equal(first.masks, other.masks)
    assert int(first.scan.sum()) == 96


def test_steps_make_the_loss_smaller(run: Run) -> None:
    torch.manual_seed(1)
    net, batch = Net(len(FACES)), draw_batch(run, 0)
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    sums = []
    for _ in range(4):
        loss = torch.stack(list(losses_of(net, batch).values())).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sums.append(float(loss.detach()))
    assert sums[-1] < 0.8 * sums[0]


def test_a_halted_training_goes_on_and_is_exported(run: Run, tmp_path: Path) -> None:
    steps: list[int] = []
    train(Run(run.shards, 1, 1), tmp_path, lambda step, _: steps.append(step))
    net = train(run, tmp_path, lambda step, _: steps.append(step))
    assert steps == [1, 3]
    export(net, tmp_path / "net.onnx")
    crops = np.random.default_rng(1).integers(0, 256, (3, 104, 64, 3), np.uint8)
    masks = np.random.default_rng(2).random((3, 104, 64)) < 0.7
    look = Embedding(tmp_path / "net.onnx").look(crops, masks)
    images = torch.from_numpy(crops).permute(0, 3, 1, 2).float()
    seen = torch.from_numpy(masks)[:, None].float()
    with torch.no_grad():
        once, again = net(images, seen)[0], net(images.flip((2, 3)), seen.flip((2, 3)))[0]
        whole = net(images, torch.ones_like(seen))[0]
    both = torch.nn.functional.normalize(once + again, dim=1)
    assert np.abs(both.numpy() - look.vectors).max() < 1e-4
    assert np.abs(whole.numpy() - Embedding(tmp_path / "net.onnx").look(crops).vectors).max() < 1e-4
