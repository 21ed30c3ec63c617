"""Games written in Python."""

from __future__ import annotations

import traceback
from typing import Any, Optional

import numpy as np
import pytest
from own_games import Die, HighCard, Nim, Simultaneous, TicTacToe

import boughs


def test_a_game_of_four_methods_is_searched_as_it_is() -> None:
    game = Nim(10)
    report = boughs.search(game, iterations=10_000)
    assert report.best == 2 and isinstance(report.best, int) and report.warnings == []
    assert game.stones == 10, "the game itself is left alone"


def test_several_threads_search_a_game_in_python() -> None:
    report = boughs.search(TicTacToe(), threads=4, iterations=20_000, early_stop=False)
    assert report.iterations == 20_000 and report.best == 4 and 0.5 < report.value < 0.75


@pytest.mark.parametrize("parallel", ["shared", "independent", "batched"])
def test_each_kind_of_parallelisation_searches(parallel: str) -> None:
    report = boughs.search(Nim(), agent=f"mcts:parallel={parallel},threads=2", iterations=4_000, early_stop=False)
    assert report.best == 2 and report.iterations == 4_000


def test_a_list_is_copied_with_its_position() -> None:
    report = boughs.search(TicTacToe(), moves=[0, 4, 1, 3], iterations=3_000)
    assert report.best == 2, "it wins at once"


def test_attributes_that_share_a_list_share_its_copy() -> None:
    class Shared(Nim):
        def __init__(self) -> None:
            super().__init__()
            self.log: list[int] = []
            self.same = self.log
            self.nested = {"log": self.log, "deep": [[1], {2}, bytearray(b"x"), np.zeros(2)]}

        def play(self, take: int) -> None:
            super().play(take)
            self.log.append(take)
            assert self.same is self.log and self.nested["log"] is self.log

    game = Shared()
    boughs.search(game, iterations=500)
    assert game.log == []
    boughs.check_game(game, games=5)


def test_slots_and_own_copies_are_copied() -> None:
    class Slots:
        __slots__ = ("stones", "player")

        def __init__(self) -> None:
            self.stones, self.player = 10, 0

        turn, moves, play, rewards = Nim.turn, Nim.moves, Nim.play, Nim.rewards

    class Own(Nim):
        copies = 0

        def copy(self) -> Own:
            Own.copies += 1
            other = Own(self.stones)
            other.player = self.player
            return other

    assert boughs.search(Slots(), iterations=3_000).best == 2
    assert boughs.search(Own(), iterations=3_000).best == 2 and Own.copies > 1_000


def test_play_may_return_the_next_position() -> None:
    class Frozen:
        def __init__(self, stones: int = 10, player: int = 0) -> None:
            self.stones, self.player = stones, player

        turn, moves, rewards = Nim.turn, Nim.moves, Nim.rewards

        def play(self, take: int) -> Frozen:
            return Frozen(self.stones - take, 1 - self.player)

    assert boughs.search(Frozen(), iterations=3_000).best == 2


def test_moves_are_any_hashable_objects() -> None:
    class Words(Nim):
        def moves(self) -> list[Any]:
            return [("take", count) for count in super().moves()]

        def play(self, move: Any) -> None:
            super().play(move[1])

        def text(self, move: Any) -> str:
            return f"t {move[1]}"

    search = boughs.Search(Words())
    report = search.run(iterations=5_000)
    assert report.best == ("take", 2) and "t2" in report.texts
    search.advance(report.best)
    search.advance("t1")
    assert search.run(iterations=1_000).inherited > 0
    assert boughs.search(Words(), moves=[("take", 2)], iterations=10).turn == 1


def test_chance_is_drawn_by_its_weights() -> None:
    report = boughs.search(Die(), iterations=20_000, early_stop=False)
    assert report.best == "roll" and report.scores
    assert abs(report.value - 4.85) < 0.1, report
    boughs.check_game(Die(), games=50)


def test_hidden_cards_are_not_seen() -> None:
    for card, right in ((0, "fold"), (4, "bet")):
        report = boughs.search(HighCard(), moves=[card, 2], iterations=20_000)
        assert report.best == right, report
    boughs.check_game(HighCard(), games=50)
    boughs.check_game(Simultaneous(), games=50)


def test_a_second_player_does_not_see_a_secret_choice() -> None:
    report = boughs.search(Simultaneous(), moves=[1], iterations=20_000, early_stop=False)
    assert abs(report.value - 0.5) < 0.1, report


def test_scores_have_bounds_or_none() -> None:
    class Points(Nim):
        bounds: Optional[tuple[float, float]] = (-10, 10)

        def rewards(self) -> tuple[float, float]:
            return (-10.0, 10.0) if self.player == 0 else (10.0, -10.0)

    class Open(Points):
        bounds = None

    for game in (Points(), Open()):
        report = boughs.search(game, iterations=5_000)
        assert report.best == 2 and report.scores and report.value > 5 and report.warnings == []
    assert np.isnan(boughs.search(Open(), iterations=100).lower).all()


def test_undeclared_rewards_are_refused() -> None:
    class Wrong(Nim):
        def rewards(self) -> tuple[float, float]:
            return -1.0, 2.0

    for call in (lambda: boughs.search(Wrong(), iterations=100), lambda: boughs.check_game(Wrong())):
        with pytest.raises(boughs.Error, match="rewards of this game are from 0 to 1; declare bounds"):
            call()


@pytest.mark.parametrize("method", ["turn", "moves", "play", "rewards", "copy", "text", "board", "__hash__"])
@pytest.mark.parametrize("threads", [1, 4])
def test_an_exception_of_a_game_comes_out_as_it_is(method: str, threads: int) -> None:
    class Oops(Exception):
        pass

    class Faulty(Nim):
        calls = 0

        def fail(self) -> None:
            Faulty.calls += 1
            if Faulty.calls > (0 if method in ("text", "board") else 30):
                raise Oops(f"in {method}")

    class Move:
        def __init__(self, take: int, game: Faulty) -> None:
            self.take, self.game = take, game

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Move) and other.take == self.take

        def __hash__(self) -> int:
            self.game.fail()
            return self.take

    def wrapped(self: Faulty, *arguments: Any) -> Any:
        self.fail()
        if method == "copy":
            other = Faulty(self.stones)
            other.player = self.player
            return other
        return getattr(Nim, method)(self, *arguments)

    if method == "__hash__":
        Faulty.moves = lambda self: [Move(take, self) for take in Nim.moves(self)]  # type: ignore
        Faulty.play = lambda self, move: Nim.play(self, move.take)  # type: ignore
    else:
        setattr(Faulty, method, wrapped)
    with pytest.raises(Oops) as caught:
        search = boughs.Search(Faulty(12), threads=threads)
        search.run(iterations=50_000)
    assert str(caught.value) == f"in {method}"
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "fail" in names, names


def test_a_search_can_be_used_after_an_exception() -> None:
    class Once(Nim):
        failed = False

        def play(self, take: int) -> None:
            if not Once.failed:
                Once.failed = True
                raise KeyError("once")
            super().play(take)

    search = boughs.Search(Once())
    with pytest.raises(KeyError, match="once"):
        search.run(iterations=1_000)
    assert search.run(iterations=3_000).best == 2


@pytest.mark.parametrize(
    ("method", "value", "sentence"),
    [
        ("turn", 2, "turn() returned 2, but players are 0 to 1; chance is -1"),
        ("turn", "white", "turn() should return the number of a player"),
        ("rewards", [1.0], "rewards() should return one number for each of 2 players, and returned [1.0]"),
        ("rewards", None, "rewards() should return one number"),
        ("rewards", [1, "x"], "rewards() should return one number"),
        ("rewards", (float("nan"), 0.5), "rewards() returned NaN; rewards are finite numbers"),
        ("rewards", (1, -1), "rewards() returned -1, and rewards of this game are from 0 to 1; declare bounds"),
        ("moves", None, "moves() should return a list, and returned None"),
        ("moves", [[1]], "unhashable type: 'list'"),
    ],
)
def test_wrong_answers_are_exceptions(method: str, value: object, sentence: str) -> None:
    game = Nim()
    broken = type("Broken", (Nim,), {method: lambda self: value})
    with pytest.raises((boughs.Error, TypeError)) as caught:
        boughs.search(broken(), iterations=100)
    assert sentence in str(caught.value) and game.stones == 10


def test_the_check_names_the_moves_to_a_fault() -> None:
    class Wrong(Nim):
        def moves(self) -> list[int]:
            return [1, 2, 3] if self.stones >= 2 else [1, 2]

        def play(self, take: int) -> None:
            super().play(min(take, self.stones))
            if self.stones == 0 and take == 2:
                raise RuntimeError("no more than there are")

    assert "random games" in boughs.check_game(Nim(), games=20)
    with pytest.raises(RuntimeError, match="no more than there are") as caught:
        boughs.check_game(Wrong(6))
    notes = getattr(caught.value, "__notes__", ["raised after the moves"])
    assert notes[0].startswith("raised after the moves"), notes


def test_the_check_finds_a_copy_that_shares_its_state() -> None:
    class Aliased(TicTacToe):
        def copy(self) -> Aliased:
            other = Aliased.__new__(Aliased)
            other.__dict__.update(self.__dict__)
            return other

    with pytest.raises(boughs.Error):
        boughs.check_game(Aliased(), games=20)


def test_the_check_finds_a_leak_of_hidden_cards() -> None:
    class Leak(HighCard):
        def determinize(self, player: int, rng: object) -> None:
            pass

        def information(self, player: int) -> object:
            return len(self.cards), tuple(self.cards[player : player + 1]), tuple(self.said)

        def moves(self) -> list[object]:
            # The second player's moves depend on the first player's card.
            found = super().moves()
            return found[:1] if self.said and self.cards[0] > 3 else found

    with pytest.raises(boughs.Error):
        boughs.check_game(Leak())


def test_games_declare_what_is_possible() -> None:
    for attributes, sentence in (
        ({"players": 9}, "players = 9; give a number from 1 to 8"),
        ({"bounds": (1, 0)}, "bounds = (1, 0); give the least and the greatest reward"),
        ({"bounds": 3}, "bounds = 3"),
        ({"information": lambda self, player: 0}, "has both methods information(player) and determinize"),
    ):
        with pytest.raises(boughs.Error, match=__import__("re").escape(sentence)):
            boughs.search(type("Game", (Nim,), attributes)(), iterations=10)


def test_other_agents_play_a_game_in_python() -> None:
    for agent in ("flat", "random", "mcts:policy=rave", "mcts:solver=on", "mcts:playout=decisive", "mcts:learn=nst"):
        try:
            report = boughs.search(Nim(), agent=agent, iterations=2_000)
        except boughs.Error as error:
            pytest.fail(f"{agent}: {error}")
        assert report.best in (1, 2, 3), agent


def test_a_search_of_a_game_in_python_is_watched_stopped_and_goes_on() -> None:
    with boughs.Search(TicTacToe(), threads=2) as search:
        reports = list(search.watch(time=0.6, every=0.1, early_stop=False))
        assert len(reports) > 2 and reports[0].stop == "running"
        assert 0 < reports[0].iterations < reports[-1].iterations
        search.advance(reports[-1].best)
        search.ponder()
        assert search.stop().stop == "stopped"


def test_other_threads_of_python_run_while_a_game_in_python_is_searched() -> None:
    import threading
    import time

    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.005):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    boughs.search(TicTacToe(), threads=2, time=0.5, early_stop=False)
    done.set()
    thread.join()
    assert len(ticks) > 10


@pytest.mark.parametrize("name", ["board", "text", "chance", "copy", "evaluation", "information", "cut_rewards"])
def test_an_attribute_with_the_name_of_a_method_is_no_method(name: str) -> None:
    class Named(Nim):
        def __init__(self) -> None:
            super().__init__()
            self.board = [0, 1]

        def __str__(self) -> str:
            return f"{self.stones} stones"

    setattr(Named, name, 0.5)
    report = boughs.search(Named(), iterations=2_000)
    assert report.best == 2 and report.board.strip() == "10 stones"


def test_a_copy_keeps_what_attributes_of_any_kind_share() -> None:
    class Cells:
        def __init__(self) -> None:
            self.grid = [0]

    class Owner:
        def __init__(self, game: object) -> None:
            self.game = game

    class Sharing(Nim):
        def __init__(self) -> None:
            super().__init__()
            self.grid = [0]
            self.cells = Cells()
            self.cells.grid = self.grid
            self.owner = Owner(self)
            self.pair = (self.grid, 1)

        def play(self, take: int) -> None:
            super().play(take)
            self.grid[0] += take
            assert self.cells.grid is self.grid and self.pair[0] is self.grid and self.owner.game is self

    class Pairs(Nim):
        def __init__(self) -> None:
            super().__init__()
            self.pair = ([0], 1)
            self.grid = self.pair[0]

        def play(self, take: int) -> None:
            super().play(take)
            self.grid[0] += take
            assert self.pair[0] is self.grid

    for game in (Sharing(), Pairs()):
        assert boughs.search(game, iterations=500, seed=1).best is not None
        assert game.grid == [0]
        boughs.check_game(game, games=5)


def test_a_shallow_copy_is_no_copy_of_a_position() -> None:
    class Shallow(TicTacToe):
        def __copy__(self) -> Shallow:
            other = Shallow.__new__(Shallow)
            other.__dict__.update(self.__dict__)
            return other

    class Deep(Shallow):
        copies = 0

        def __deepcopy__(self, memo: object) -> Deep:
            Deep.copies += 1
            other = Deep()
            other.cells, other.player, other.winner = self.cells[:], self.player, self.winner
            return other

    for game in (Shallow(), Deep()):
        assert boughs.search(game, moves=[0, 4, 1, 3], iterations=1_000).best == 2
        boughs.check_game(game, games=20)
    assert Deep.copies > 100


class Endless(Nim):
    """One player takes 3 of 10 points at once, or goes on to a place without moves."""

    players = 1
    bounds = (0, 10)

    def __init__(self) -> None:
        self.place = "start"

    def turn(self) -> Optional[int]:
        return None if self.place == "take" else 0

    def moves(self) -> list[Any]:
        return ["take", "go on"] if self.place == "start" else []

    def play(self, move: Any) -> None:
        self.place = move

    def rewards(self) -> Any:
        return [3.0]


def test_a_playout_without_an_end_is_worth_the_least_or_what_the_game_says() -> None:
    class Told(Endless):
        def cut_rewards(self) -> list[float]:
            return [7.0 if self.place == "go on" else 0.0]

    report = boughs.search(Endless(), agent="mcts", iterations=200, early_stop=False)
    assert report.best == "take" and report.means[report.moves.index("go on")] == 0.0
    report = boughs.search(Told(), agent="mcts", iterations=200, early_stop=False)
    assert report.best == "go on" and abs(report.means[report.moves.index("go on")] - 7) < 1e-6


def test_what_players_know_is_told_apart_even_where_hashes_are_equal() -> None:
    assert hash((-1,)) == hash((-2,))

    class Guess(Nim):
        """The player passes for 0.7, or sees a card, -1 or -2, and names it."""

        def __init__(self) -> None:
            self.steps: list[Any] = []

        def turn(self) -> Optional[int]:
            if self.steps == ["pass"] or len(self.steps) == 3:
                return None
            return boughs.CHANCE if len(self.steps) == 1 else 0

        def moves(self) -> list[Any]:
            return [["play", "pass"], [-1, -2], ["one", "two"]][len(self.steps)]

        def play(self, move: Any) -> None:
            self.steps.append(move)

        def rewards(self) -> tuple[float, float]:
            if self.steps == ["pass"]:
                return 0.7, 0.3
            won = float((self.steps[1] == -1) == (self.steps[2] == "one"))
            return won, 1 - won

        def information(self, player: int) -> object:
            return len(self.steps), (self.steps[1] if len(self.steps) > 1 and player == 0 else 0,)

        def determinize(self, player: int, rng: Any) -> None:
            if player == 1 and len(self.steps) > 1:
                self.steps[1] = rng.choice([-1, -2])

    report = boughs.search(Guess(), agent="mcts", iterations=5_000, early_stop=False)
    assert report.best == "play" and report.value > 0.85, report


def test_a_missing_method_is_named_by_an_exception() -> None:
    class Half(boughs.Game):
        def moves(self) -> list[int]:
            return [1]

    with pytest.raises(NotImplementedError):
        boughs.search(Half(), iterations=10)  # type: ignore[abstract, unused-ignore]


def test_an_exception_in_the_background_is_not_lost() -> None:
    class Later(Nim):
        is_broken = True

        def play(self, take: int) -> None:
            if Later.is_broken:
                raise KeyError("mine")
            super().play(take)

    search = boughs.Search(Later())
    search.ponder()
    assert search.wait(30)
    with pytest.raises(KeyError, match="mine"):
        search.advance(2)
    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            search.report  # noqa: B018
    with pytest.raises(KeyError, match="mine"):
        with boughs.Search(Later()) as other:
            other.ponder()
            assert other.wait(30)
    Later.is_broken = False
    search.advance(2)
    with pytest.raises(boughs.Error, match="is not a legal move"):
        search.advance("x")
    assert search.run(iterations=100).best in (1, 2, 3)


def test_a_line_shows_the_texts_of_its_moves() -> None:
    class Texts(Nim):
        def text(self, move: int) -> str:
            return f"take-{move}"

    report = boughs.search(Texts(), iterations=1_000)
    assert report.line_texts[0] == "take-2" and report.line[0] == 2
    assert "take-2" in report._repr_html_().split("expected line:")[1]
    assert report.table()["line"][0].startswith("take-")
