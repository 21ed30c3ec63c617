"""Searches of the games of the engine."""

from __future__ import annotations

import copy
import pickle
import threading
import time
from typing import Any

import numpy as np
import pytest
from own_games import Nim

import boughs


def test_a_search_gives_columns_that_fit_together() -> None:
    report = boughs.search("connect4", moves="4453", threads=2, time=0.2)
    count = len(report.moves)
    assert count == 7 and report.best in report.moves and report.texts == report.moves
    for column in (report.playouts, report.means, report.lower, report.upper, report.proven, report.priors):
        assert isinstance(column, np.ndarray) and column.shape == (count,)
    assert report.playouts.sum() == report.iterations
    assert np.all(report.lower <= report.means) and np.all(report.means <= report.upper)
    assert report.line[0] == report.best and report.value == report.means[report.moves.index(report.best)]
    assert report.playouts_per_second > 10_000


def test_equal_seeds_give_equal_reports() -> None:
    first, second, other = (boughs.search("hex:size=5", iterations=3_000, seed=seed) for seed in (7, 7, 8))
    assert first.playouts.tolist() == second.playouts.tolist() and first.texts == second.texts
    assert first.playouts.tolist() != other.playouts.tolist()


@pytest.mark.parametrize("game", boughs.games()["name"].tolist())
def test_every_game_is_searched(game: str) -> None:
    report = boughs.search(game, iterations=50, early_stop=False)
    assert report.best in report.moves or report.stop == "chance acts", report


def test_a_move_proven_by_the_solver_is_told() -> None:
    report = boughs.search("tictactoe", moves="1524", agent="mcts:solver=on", iterations=2_000)
    assert report.best == "3" and report.proven[report.moves.index("3")] == 1.0 and report.stop == "proven"


def test_priors_are_those_of_the_evaluator() -> None:
    report = boughs.search("othello", iterations=500)
    assert np.isclose(report.priors.sum(), 1.0)


def test_moves_may_be_a_list() -> None:
    text, listed = (boughs.search("connect4", moves=moves, iterations=500) for moves in ("4453", ["4", "4", "5", "3"]))
    assert text.board == listed.board and text.playouts.tolist() == listed.playouts.tolist()


def test_the_tree_is_kept_from_move_to_move() -> None:
    with boughs.Search("connect4", seed=1) as search:
        report = search.run(iterations=5_000)
        search.advance(report.best)
        assert search.turn == 1 and search.run(iterations=1_000).inherited > 100


def test_reports_are_read_while_a_search_runs() -> None:
    with boughs.Search("hex") as search:
        search.start(time=60, early_stop=False)
        counts = []
        for _ in range(3):
            time.sleep(0.15)
            counts.append(search.report.iterations)
            assert search.report.stop == "running" and search.is_running
        assert 0 < counts[0] < counts[1] < counts[2]
        began = time.perf_counter()
        report = search.stop()
        assert time.perf_counter() - began < 5 and report.stop == "stopped" and not search.is_running


def test_a_loop_over_reports_may_break_off() -> None:
    search = boughs.Search("hex")
    for report in search.watch(time=60, every=0.06, early_stop=False):
        if report.iterations > 1_000:
            break
    del report
    import gc

    gc.collect()
    assert not search.is_running


def test_the_last_report_of_a_loop_is_the_result() -> None:
    reports = list(boughs.Search("connect4").watch(iterations=300_000, every=0.05, early_stop=False))
    assert reports[-1].iterations == 300_000 and reports[-1].stop == "iterations"


def test_other_threads_run_while_a_search_does() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    boughs.search("connect4", time=0.3, early_stop=False)
    done.set()
    thread.join()
    assert counted > 30


def test_searches_of_many_threads_of_python_do_no_harm() -> None:
    reports: list[boughs.Report] = []

    def search() -> None:
        reports.append(boughs.search("connect4", iterations=2_000, memory="4M", early_stop=False))

    threads = [threading.Thread(target=search) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.iterations for report in reports] == [2_000] * 16


def test_a_search_has_many_threads() -> None:
    report = boughs.search("connect4", threads=64, time=0.2, memory="64M")
    assert report.iterations > 0 and any("64 threads" in warning for warning in report.warnings)


def test_reports_and_tables_are_pickled() -> None:
    report = boughs.search("connect4", iterations=500)
    again = pickle.loads(pickle.dumps(report))
    assert again.best == report.best and again.playouts.tolist() == report.playouts.tolist()
    table = pickle.loads(pickle.dumps(report.table()))
    assert table["move"].tolist() == report.texts


def test_a_report_is_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = boughs.search("connect4", iterations=500).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 7
    assert frame["playouts"].sum() == 500 and frame["playouts"].is_monotonic_decreasing


def test_a_report_shows_itself() -> None:
    report = boughs.search("connect4", iterations=500)
    picture = report._repr_svg_()
    assert picture.startswith("<svg") and picture.count("<circle") == 7
    assert "best" in report._repr_html_() and "connect4" in repr(report)
    import xml.etree.ElementTree as xml

    xml.fromstring(picture)


def test_a_finished_game_has_no_move() -> None:
    report = boughs.search("tictactoe", moves="15243", iterations=100)
    assert report.best is None and report.moves == [] and report.stop == "game over" and report.turn is None
    assert report.value != report.value
    report._repr_html_()


def test_agents_without_a_tree_search_too() -> None:
    report = boughs.search("connect4", agent="flat", iterations=700)
    assert report.best in report.moves and np.isnan(report.priors).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"game": "connect5"}, "there is no game 'connect5'; did you mean connect4?"),
        ({"game": "connect4", "moves": "44x"}, "moves, move 3, column 3"),
        ({"game": "connect4", "moves": ["9"]}, "'9' is not a legal move here"),
        ({"game": "connect4", "agent": "mtcs"}, "unknown agent 'mtcs'; did you mean mcts?"),
        ({"game": "connect4", "agent": "mcts:z=1"}, "mcts has no key 'z'"),
        ({"game": "connect4", "moves": 3}, "moves = 3 should be a text or a list of moves"),
        ({"game": "connect4", "threads": 100_000}, "threads"),
        ({"game": "connect4", "threads": -1}, "threads = -1 should be a whole number from 0 to 2**64 - 1"),
        ({"game": "connect4", "seed": 2**64}, "seed = 18446744073709551616 should be a whole number"),
        ({"game": "connect4", "iterations": -1}, "iterations = -1 should be a whole number"),
        ({"game": "connect4", "memory": "x"}, "memory"),
        ({"game": "connect4", "memory": 1}, "1 byte of memory cannot hold a tree here"),
        ({"game": "connect4", "time": -1.0}, "time = -1 is no time; give seconds, such as 0.5"),
        ({"game": "connect4", "time": float("nan")}, "time = NaN is no time"),
        ({"game": "hex:size=99"}, "99"),
        ({"game": ""}, "game"),
        ({"game": "connect4", "evaluator": 3}, "int is no evaluator"),
        ({"game": "connect4", "evaluator": len, "agent": "flat"}, "an evaluator is for the agent mcts"),
        ({"game": object()}, "object is no game, because it has no method turn, moves, play, rewards"),
        ({"game": Nim}, "Nim is a class; give an object of it, such as Nim()"),
    ],
)
def test_faults_are_sentences(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(boughs.Error) as caught:
        boughs.search(**arguments)  # type: ignore[arg-type]
    assert sentence in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("every", [-1.0, float("nan")])
def test_a_loop_with_a_wrong_pause_begins_no_search(every: float) -> None:
    search = boughs.Search("hex")
    with pytest.raises(boughs.Error, match="every = .* is no time; give seconds, such as 0.1"):
        next(search.watch(time=60, every=every))
    assert not search.is_running


def test_huge_limits_are_no_limits() -> None:
    report = boughs.search("tictactoe", time=1e300, iterations=2**63, agent="mcts:solver=on", moves="1524")
    assert report.stop == "proven"
    assert boughs.search("connect4", time=float("inf"), iterations=100).iterations <= 100


def test_no_time_is_a_limit() -> None:
    assert boughs.search("connect4", time=0).stop == "time"
    assert boughs.search("connect4", iterations=0).iterations == 0


def test_an_illegal_advance_leaves_the_search_as_it_was() -> None:
    search = boughs.Search("connect4")
    with pytest.raises(boughs.Error, match="'x' is not a legal move here"):
        search.advance("x")
    search.advance("4")
    assert search.run(iterations=100).best is not None


def test_two_searches_at_a_time_are_refused() -> None:
    with boughs.Search("hex") as search:
        search.ponder()
        with pytest.raises(boughs.Error, match="the search is running; stop it first"):
            search.run(time=1)


def test_there_is_no_report_before_a_search() -> None:
    with pytest.raises(boughs.Error, match="there is no report yet"):
        boughs.Search("connect4").report  # noqa: B018


def test_a_position_has_the_methods_of_a_game() -> None:
    position = boughs.Position("connect4")
    before = position.copy()
    position.play("4")
    assert position.turn() == 1 and before.turn() == 0 and position.players == 2
    grid = position.grid()
    assert grid is not None and (grid == 0).sum() == 1 and (grid == -1).sum() == 41
    with pytest.raises(boughs.Error, match="the game is not over"):
        position.rewards()
    for move in ("4", "3", "3", "2", "2", "1"):
        position.play(move)
    assert position.turn() is None and position.rewards() == [1.0, 0.0]
    assert boughs.search(before, iterations=100).best in before.moves()


@pytest.mark.parametrize("game", boughs.games()["name"].tolist())
def test_a_position_is_pickled_and_copied(game: str) -> None:
    position = boughs.Position(game)
    for _ in range(3):
        if position.turn() is not None and position.moves():
            position.play(position.moves()[0])
    for again in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
        assert again.spec == position.spec and again.board() == position.board() and again.turn() == position.turn()
        if again.turn() is not None and again.moves():
            again.play(again.moves()[0])
            assert position.board() == pickle.loads(pickle.dumps(position)).board()


def test_moves_before_a_wrong_one_are_not_played() -> None:
    position = boughs.Position("connect4")
    with pytest.raises(boughs.Error, match="moves, move 3"):
        position.play_all("44x")
    assert position.turn() == 0 and (np.asarray(position.grid()) == 0).sum() == 0
    assert pickle.loads(pickle.dumps(position)).board() == position.board()


def test_a_position_of_an_evaluator_is_copied_but_not_pickled() -> None:
    def evaluate(positions: list[boughs.Position]) -> list[float]:
        assert copy.deepcopy(positions[0]).board() == positions[0].board()
        with pytest.raises(boughs.Error, match="cannot be pickled, because its moves are unknown"):
            pickle.dumps(positions[0])
        return [0.5] * len(positions)

    boughs.search("tictactoe", evaluator=evaluate, iterations=20)


@pytest.mark.parametrize("game", ["kuhn", "ahc015"])
def test_scores_with_bounds_have_intervals(game: str) -> None:
    position = boughs.Position(game)
    while position.turn() == boughs.CHANCE:
        position.play(position.moves()[0])
    report = boughs.search(position, agent="mcts", iterations=500)
    played = report.playouts > 0
    least, most = position.bounds or (0.0, 0.0)
    assert report.scores and np.isfinite(report.lower[played]).all()
    assert (least <= report.lower[played]).all() and (report.upper[played] <= most).all()
    assert (report.lower <= report.means + 1e-9)[played].all() and (report.means <= report.upper + 1e-9)[played].all()


def test_ctrl_c_between_start_and_wait_ends_the_search() -> None:
    class Interrupted:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

        def wait(self) -> None:
            raise KeyboardInterrupt

    search = boughs.Search("hex")
    search._search = Interrupted(search._search)  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        search.run(time=60)
    assert not search.is_running


def test_a_refused_search_leaves_the_running_one() -> None:
    with boughs.Search("hex") as search:
        search.ponder()
        for call in (lambda: search.run(time=1), lambda: next(search.watch(time=1))):
            with pytest.raises(boughs.Error, match="the search is running"):
                call()
            assert search.is_running


def test_a_report_is_younger_than_its_question() -> None:
    with boughs.Search("hex") as search:
        search.ponder()
        counts = [search.report.iterations for _ in range(20)]
        assert counts == sorted(counts) and counts[-1] > counts[0]
