"""Evaluators written in Python."""

from __future__ import annotations

import gc
import time
import weakref
from typing import Any

import numpy as np
import pytest
from own_games import Nim, TicTacToe

import boughs


def theory(positions: list[Nim]) -> list[float]:
    """The player to move loses if the number of stones is a multiple of four."""
    return [0.9 if position.stones % 4 else 0.1 for position in positions]


def test_a_function_values_positions_of_a_game_in_python() -> None:
    report = boughs.search(Nim(90), evaluator=theory, iterations=60, early_stop=False)
    assert report.best == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_positions_come_in_batches(threads: int) -> None:
    sizes: list[int] = []

    def stones(positions: list[boughs.Position]) -> Any:
        sizes.append(len(positions))
        grids = np.stack([np.asarray(position.grid()) for position in positions])
        lead = (grids == 0).sum(axis=(1, 2)) - (grids == 1).sum(axis=(1, 2))
        first = 0.5 + 0.005 * lead
        return np.stack([first, 1 - first], axis=1)

    agent = f"mcts:batch=32,c=0.3,threads={threads}"
    report = boughs.search("othello", agent=agent, evaluator=stones, iterations=2_000, early_stop=False)
    assert report.iterations == 2_000 and max(sizes) == 32 and np.mean(sizes) > 8


def test_priors_lead_the_search() -> None:
    class Model:
        priors = True

        def evaluate(self, positions: list[boughs.Position]) -> Any:
            return np.full(len(positions), 0.5), [
                [1.0 if move == "7" else 0.01 for move in position.moves()] for position in positions
            ]

    class ByCode(Model):
        def evaluate(self, positions: list[boughs.Position]) -> Any:
            priors = np.full((len(positions), 7), 0.01)
            wanted = boughs.Position("connect4").codes()[6]
            priors[:, wanted] = 1.0
            return np.full((len(positions), 2), 0.5), priors

    for model in (Model(), ByCode()):
        report = boughs.search("connect4", agent="mcts:policy=puct", evaluator=model, iterations=300, early_stop=False)
        assert report.best == "7" and report.priors[report.moves.index("7")] > 0.9


def test_priors_of_a_game_in_python_are_by_move() -> None:
    class Model:
        priors = True

        def evaluate(self, positions: list[TicTacToe]) -> Any:
            return [0.5] * len(positions), [{4: 1.0, 0: 0.1} for _ in positions]

    report = boughs.search(TicTacToe(), agent="mcts:policy=puct", evaluator=Model(), iterations=200, early_stop=False)
    assert report.best == 4 and report.priors[report.moves.index(4)] > 0.8


def test_values_are_mixed_with_playouts() -> None:
    report = boughs.search(Nim(), agent="mcts:mix=0.5", evaluator=theory, iterations=2_000)
    assert report.best == 2


def test_hidden_games_and_scores_of_the_engine_are_valued() -> None:
    def even(positions: list[boughs.Position]) -> Any:
        return np.full((len(positions), positions[0].players), 0.5)

    for game in ("kuhn", "goofspiel", "matrix", "pig", "2048"):
        position = boughs.Position(game)
        while position.turn() == boughs.CHANCE:
            position.play(position.moves()[0])
        report = boughs.search(position, evaluator=even, iterations=200)
        assert report.iterations > 0 and report.best in report.moves, report


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        ([0.5], "returned values of the shape"),
        (None, "an evaluator"),
        ("text", "could not convert string to float"),
        ([[0.5, 0.5, 0.5]] * 1, "returned values of the shape"),
        (float("nan"), "an evaluator"),
    ],
)
def test_wrong_values_are_exceptions(returned: object, sentence: str) -> None:
    with pytest.raises((boughs.Error, ValueError, TypeError)) as caught:
        boughs.search("connect4", agent="mcts:batch=8", evaluator=lambda positions: returned, iterations=100)
    assert sentence in str(caught.value)


def test_values_that_are_no_numbers_end_the_search() -> None:
    with pytest.raises(boughs.Error, match="the evaluator of leaves failed: it gives the value NaN"):
        boughs.search("connect4", evaluator=lambda positions: [float("nan")] * len(positions), iterations=100)


@pytest.mark.parametrize(("game", "value"), [("connect4", -0.5), (Nim(), 2.0)])
def test_values_outside_of_the_rewards_end_the_search(game: Any, value: float) -> None:
    with pytest.raises(boughs.Error, match=f"returned the value {value:g}, and rewards of this game are from 0 to 1"):
        boughs.search(game, evaluator=lambda positions: [value] * len(positions), iterations=100)


def test_an_exception_of_an_evaluator_comes_out_as_it_is() -> None:
    class Model:
        calls = 0

        def evaluate(self, positions: list[Any]) -> Any:
            self.calls += 1
            if self.calls > 5:
                raise LookupError("no weights")
            return [0.5] * len(positions)

    for game in ("connect4", Nim(50)):
        search = boughs.Search(game, evaluator=Model(), agent="mcts")
        with pytest.raises(LookupError, match="no weights"):
            search.run(iterations=1_000)


def test_one_value_for_two_players_needs_bounds() -> None:
    class Open(Nim):
        bounds = None

    with pytest.raises(boughs.Error, match="would do if the game declared the bounds"):
        boughs.search(Open(), evaluator=theory, iterations=50)
    both = boughs.search(Open(), evaluator=lambda positions: np.full((len(positions), 2), 0.5), iterations=50)
    assert both.iterations > 0


def test_a_search_that_its_evaluator_holds_is_collected() -> None:
    class Player:
        def __init__(self) -> None:
            self.search = boughs.Search("tictactoe", evaluator=self.evaluate)

        def evaluate(self, positions: list[Any]) -> list[float]:
            return [0.5] * len(positions)

    player = Player()
    player.search.run(iterations=50)
    seen = weakref.ref(player)
    del player
    gc.collect()
    # The last thread of a search to end drops its evaluator.
    until = time.monotonic() + 10
    while seen() is not None and time.monotonic() < until:
        time.sleep(0.001)
    assert seen() is None
