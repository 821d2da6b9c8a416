import json

import pytest

from app.embedding_report import look_ms, rival_scores
from app.main import main
from vision.deck import find_deck, load_deck
from vision.embedding import embedding


def test_bench_embedding_tells_of_every_way_of_reading(capsys: pytest.CaptureFixture[str]) -> None:
    main(["bench", "embedding", "--each", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    scores = {(one["band"], one["how"]): one for one in answer["scores"]}
    assert scores["whole", "not enrolled"]["views"] == 48
    assert scores["whole", "enrolled, both"]["right"] >= 46
    assert scores["half", "enrolled, embedding"]["right"] > scores["half", "enrolled, embedding without mask"]["right"]
    assert answer["ms_for_30_cards"] > 0


def test_a_deck_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "embedding", "--deck", "moon"]) == 2
    assert "no deck is called 'moon' there (known: tsuki)" in capsys.readouterr().err


def test_rivals_are_tried_on_the_same_views() -> None:
    scores = rival_scores(load_deck(find_deck("tsuki")), "tsuki")
    assert {score.band for score in scores} == {"whole", "half", "third"}
    assert all(score.views == 48 for score in scores)


def test_a_look_takes_time() -> None:
    assert look_ms(embedding(), 1) > 0
