"""Experiments and their stores."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from own_games import LOG

import boughs


def test_a_match_finds_the_stronger_agent() -> None:
    seen: list[tuple[int, object]] = []
    result = boughs.match(
        "connect4", "mcts", "random", games=20, iterations=50, progress=lambda done, all: seen.append((done, all))
    )
    assert result.games == 20 and result.wins > 15 and result.elo.low > 0 and result.los > 0.99
    assert sum(result.pairs) == 10 and seen[-1] == (20, 20) and "won" in repr(result)


def test_a_sequential_test_ends_a_match() -> None:
    result = boughs.match("tictactoe", "mcts", "random", sprt=(0, 50), iterations=30)
    assert result.decision == "accept_h1" and result.games < 1_000


def test_equal_matches_are_equal() -> None:
    one, two = (
        boughs.match("connect4", "mcts:c=1", "mcts", games=6, iterations=100, openings="random:4") for _ in range(2)
    )
    assert (one.wins, one.draws, one.losses, one.pairs) == (two.wins, two.draws, two.losses, two.pairs)


def test_a_store_keeps_games_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = boughs.match("tictactoe", "mcts", "random", games=4, iterations=20, store=path)
    more = boughs.match("tictactoe", "mcts", "random", games=10, iterations=20, store=path)
    assert first.details["kept"] == 0 and more.details["kept"] == 4 and more.details["played"] == 6
    boughs.tournament("tictactoe", ["mcts", "flat", "random"], rounds=2, iterations=20, store=path)
    store = boughs.Store(path)
    games = store.games()
    assert games.size == 10 + 12 and set(games["kind"]) == {"match", "tournament"}
    assert set(map(tuple, games["seats"][:2])) == {("mcts", "random"), ("random", "mcts")}
    assert all(len(rewards) == 2 and sum(rewards) == 1 for rewards in games["rewards"])
    assert games["plies"].min() >= 5 and "boughs match tictactoe" in games["replay"][0]
    assert store.matches()["games"].tolist() == [10] and store.tournaments()["games"].tolist() == [12]
    assert store.games(event=0).size == 10
    frame = games.to_pandas()
    assert frame.groupby("kind")["number"].count().to_dict() == {"match": 10, "tournament": 12}
    assert pickle.loads(pickle.dumps(games)).size == games.size
    assert store.measurements().size == 0 and store.cases().size == 0


def test_a_tournament_rates_its_contestants() -> None:
    result = boughs.tournament("tictactoe", ["random", "mcts", "flat"], rounds=10, iterations=50)
    assert result.ratings["contestant"][-1] == "random" and result.meetings.size == 3
    assert result.ratings["games"].tolist() == [40, 40, 40]
    assert list(result.to_pandas().columns) == ["contestant", "elo", "low", "high", "games", "points"]
    gauntlet = boughs.tournament("tictactoe", ["mcts", "flat", "random"], rounds=2, iterations=50, gauntlet=True)
    assert gauntlet.meetings.size == 2


def test_scaling_is_measured_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "scale.db"
    result = boughs.scale("tictactoe", threads=[2], parallel=["shared"], iterations=5_000, rounds=2, store=path)
    assert result.table["parallel"].tolist() == ["shared", "shared", "roof", "roof"]
    assert result.table["threads"].tolist() == [1, 2, 1, 2] and result.runs.size == 8
    assert np.all(result.table["playouts_per_second"] > 1_000) and result._repr_svg_().startswith("<svg")
    store = boughs.Store(path)
    (row,) = store.measurements().rows()
    assert row["kind"] == "scale" and row["is_over"] and row["game"] == "tictactoe"
    assert store.measurement(row["id"])["rounds_done"] == 2
    with pytest.raises(boughs.Error, match="the store has no measurement 99"):
        store.measurement(99)


def test_cases_are_judged_and_their_best_scores_kept(tmp_path: Path) -> None:
    path = tmp_path / "cases.db"
    first = boughs.judge("ahc015", "solution1", seeds=range(0, 4), store=path)
    second = boughs.judge("ahc015", "solution2", seeds=range(0, 4), store=path)
    assert first.cases.size == 4 and np.isnan(first.cases["best_before"]).all()
    assert second.cases["best_before"].tolist() == first.cases["score"].tolist()
    assert boughs.Store(path).cases().size == 4 and second.total == second.cases["score"].sum()


def test_weights_are_learned_and_learning_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    assert boughs.learn(games=2, round=2, positions=200, out=path).games == 2
    more = boughs.learn(games=4, round=2, positions=200, out=path)
    assert more.games == 4 and more.curve["games"].tolist() == [2, 4] and more.features.size > 5
    with pytest.raises(boughs.Error, match="learned with other settings: --seed is 0 there and 1 here"):
        boughs.learn(games=6, round=2, positions=200, out=path, seed=1)
    agent = f"foresight:weights={path}"
    assert boughs.search("green-circle:seed=1", agent=agent, iterations=5).game == "green-circle:seed=1"


def test_a_puzzle_is_replayed() -> None:
    result = boughs.replay("3 0.1\nbaa 30\nab 20\nbbb 4\n")
    assert result.answer == "a" and "visits" in result.explanation


def test_a_log_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(LOG)
    assert boughs.replay_log(path) == {"game": "tictactoe", "playouts": 3, "nodes": 4}
    path.write_text(LOG.replace("0 1 1 2", "0 1 1 1"))
    with pytest.raises(boughs.Error, match="log', line 12"):
        boughs.replay_log(path)


def test_a_log_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("nothing\n")
    with pytest.raises(boughs.Error, match="log"):
        boughs.replay_log(path)
    with pytest.raises(FileNotFoundError):
        boughs.replay_log(tmp_path / "none")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: boughs.match("connect4", "mcts", "mtcs"), "unknown agent 'mtcs'; did you mean mcts?"),
        (lambda: boughs.match("conect4", "mcts", "flat"), "there is no game 'conect4'; did you mean connect4?"),
        (lambda: boughs.match("connect4", "mcts", "flat", time=0), "time = 0 leaves no time to move"),
        (lambda: boughs.match("connect4", "mcts", "flat", time=1, iterations=1), "give one of them"),
        (lambda: boughs.match("connect4", "mcts", "flat", openings="random:x"), "is no number of plies"),
        (lambda: boughs.match("connect4", "mcts", "flat", games=0), "games = 0 should be a number from 1"),
        (lambda: boughs.match("connect4", "mcts", "flat", games=-1), "games = -1 should be a whole number"),
        (lambda: boughs.match("connect4", "mcts", "flat", concurrency=10**9), "concurrency = 1000000000 should be"),
        (lambda: boughs.match("connect4", "mcts", "flat", concurrency=0), "concurrency = 0 should be a number from 1"),
        (lambda: boughs.match("connect4", "mcts", "flat", sprt=(5, 5)), "5"),
        (lambda: boughs.match("connect4", "mcts", "flat", store="/no/such/folder/x.db"), "/no/such/folder/x.db"),
        (lambda: boughs.tournament("connect4", ["mcts"]), "at least two contestants"),
        (lambda: boughs.scale("connect4", parallel=["both"]), "there is no kind 'both'"),
        (lambda: boughs.scale("connect4", threads=[0]), "threads = 0 should be a number from 1 to 1024"),
        (lambda: boughs.tournament("connect4", ["mcts", "flat"], rounds=0), "rounds = 0 should be a number from 1"),
        (lambda: boughs.scale("connect4", rounds=0), "rounds = 0 should be a number from 1"),
        (lambda: boughs.scale("connect4", time=0), "measures nothing"),
        (lambda: boughs.judge(seeds=range(-1, 5)), "seeds = -1 should be a whole number"),
        (lambda: boughs.learn(threads=10**9), "threads = 1000000000 should be a number from 0 to 1024"),
        (lambda: boughs.learn(round=0), "round = 0 should be a number from 1 to 100000"),
        (lambda: boughs.learn(slowing=float("nan")), "slowing = NaN should be a number from 1"),
        (lambda: boughs.check_game("connect4", games=0), "games = 0 should be a number from 1"),
        (lambda: boughs.default_agent("conect4"), "there is no game 'conect4'"),
        (lambda: boughs.judge("hex"), "there are no cases of hex to judge"),
        (lambda: boughs.judge(seeds=range(5, 5)), "seeds should be a range that is not empty"),
        (lambda: boughs.learn("hex"), "'hex' is no game that can be learned"),
        (lambda: boughs.learn(rate=2.0), "rate = 2 should be a number from 0 to 1"),
        (lambda: boughs.replay("x"), "line 1"),
        (lambda: boughs.Store("/no/store.db"), "there is no store '/no/store.db'"),
    ],
)
def test_faults_are_sentences(call, sentence: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(boughs.Error) as caught:
        call()
    assert sentence in str(caught.value), str(caught.value)


def test_an_exception_of_a_progress_function_ends_an_experiment() -> None:
    def progress(done: int, all: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        boughs.match("tictactoe", "mcts", "random", games=10_000, iterations=50, progress=progress)
