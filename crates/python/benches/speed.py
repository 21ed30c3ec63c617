"""Speed of the package: against the program, against plain Python, and against OpenSpiel's search in Python.

Run it on an idle machine: python benches/speed.py --program ../../target/release/boughs

Each ratio is the median of rounds, and in a round both sides run one after the other in random order, so that a
disturbance of the machine meets both.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from own_games import Nim, TicTacToe  # noqa: E402

import boughs  # noqa: E402


class ConnectFour:
    """Connect Four on lists, as a user writes it."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]
        self.player, self.winner, self.stones = 0, -1, 0

    def turn(self) -> int | None:
        return None if self.winner >= 0 or self.stones == 42 else self.player

    def moves(self) -> list[int]:
        return [column for column in range(7) if len(self.columns[column]) < 6]

    def play(self, column: int) -> None:
        row = len(self.columns[column])
        self.columns[column].append(self.player)
        self.stones += 1
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if 1 + self.count(column, row, across, up) + self.count(column, row, -across, -up) >= 4:
                self.winner = self.player
        self.player = 1 - self.player

    def count(self, x: int, y: int, across: int, up: int) -> int:
        count = 0
        while True:
            x, y = x + across, y + up
            if not (0 <= x < 7 and 0 <= y < len(self.columns[x]) and self.columns[x][y] == self.player):
                return count
            count += 1

    def rewards(self) -> tuple[float, float]:
        if self.winner < 0:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)

    def copy(self) -> ConnectFour:
        other = ConnectFour.__new__(ConnectFour)
        other.columns = [column[:] for column in self.columns]
        other.player, other.winner, other.stones = self.player, self.winner, self.stones
        return other


def copy_of(game: TicTacToe) -> TicTacToe:
    """A copy as a user writes it."""
    other = TicTacToe.__new__(TicTacToe)
    other.cells, other.player, other.winner = game.cells[:], game.player, game.winner
    return other


def plain_playouts(start: Any, seconds: float) -> float:
    """Random playouts a second of a plain loop, each from a copy."""
    copied = start.copy if hasattr(start, "copy") else lambda: copy.copy(start)
    if isinstance(start, TicTacToe):
        copied = lambda: copy_of(start)  # noqa: E731
    count, end = 0, time.perf_counter() + seconds
    began = time.perf_counter()
    while time.perf_counter() < end:
        game = copied()
        while game.turn() is not None:
            game.play(random.choice(game.moves()))
        game.rewards()
        count += 1
    return count / (time.perf_counter() - began)


def searched(game: Any, seconds: float) -> float:
    return boughs.search(game, agent="mcts", time=seconds, early_stop=False).playouts_per_second


def program(path: str, game: str, threads: int, seconds: float) -> float:
    line = [path, "analyze", game, "--threads", str(threads), "--time", f"{seconds}s", "--no-early-stop", "--json"]
    answer = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    found: float = answer.get("report", answer)["playouts_per_second"]
    return found


def openspiel_search(name: str, seconds: float) -> float:
    """Simulations a second of OpenSpiel's MCTS in Python."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(name)
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1), solve=False)
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        bot.mcts_search(game.new_initial_state())
        count += 50
    return count / (time.perf_counter() - began)


def openspiel_adapter(name: str, seconds: float) -> float:
    import pyspiel

    import boughs.openspiel

    state = pyspiel.load_game(name).new_initial_state()
    report = boughs.openspiel.search(state, agent="mcts", time=seconds, early_stop=False)
    return report.playouts_per_second


def ratio(rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float, float]:
    """The median ratio of interleaved rounds, and the median speeds."""
    pairs = []
    for _ in range(rounds):
        sides = [("ours", ours), ("theirs", theirs)]
        random.shuffle(sides)
        measured = {name: run() for name, run in sides}
        pairs.append((measured["ours"], measured["theirs"]))
    return (
        statistics.median(a / b for a, b in pairs),
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
    )


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", help="the program boughs, to compare with")
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--seconds", type=float, default=0.5)
    given = arguments.parse_args()
    rounds, seconds = given.rounds, given.seconds

    def show(name: str, ours: Callable[[], float], theirs: Callable[[], float]) -> None:
        found, mine, other = ratio(rounds, ours, theirs)
        print(f"{name:58} {found:6.2f}   {mine:>12,.0f} {other:>12,.0f}", flush=True)

    print(f"{'playouts a second':58} {'ratio':>6}   {'package':>12} {'other':>12}")
    if given.program:
        for game, threads in (("connect4", 1), ("connect4", 2), ("othello", 1), ("hex", 1)):
            show(
                f"boughs.search / program: {game}, threads={threads}",
                lambda: boughs.search(
                    game, threads=threads, time=seconds, early_stop=False
                ).playouts_per_second,
                lambda: program(given.program, game, threads, seconds),
            )
    for start in (Nim(21), TicTacToe(), ConnectFour()):
        show(
            f"search / plain random playouts: {type(start).__name__} in Python",
            lambda: searched(start, seconds),
            lambda: plain_playouts(start, seconds),
        )
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("skipped: OpenSpiel is not installed")
        return
    for name in ("tic_tac_toe", "connect_four", "breakthrough"):
        show(
            f"adapter / OpenSpiel's MCTS in Python: {name}",
            lambda: openspiel_adapter(name, seconds),
            lambda: openspiel_search(name, seconds),
        )
    for start, name in ((TicTacToe(), "tic_tac_toe"), (ConnectFour(), "connect_four")):
        show(
            f"{type(start).__name__} in Python / OpenSpiel's MCTS in Python",
            lambda: searched(start, seconds),
            lambda: openspiel_search(name, seconds),
        )


if __name__ == "__main__":
    main()
