"""Searches of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Union

from . import _boughs
from ._games import AnyGame, Evaluator
from ._report import Report

AnyEvaluator = Union[Evaluator, Callable[[list[Any]], Any]]


class Search:
    """A search of a game, which keeps its tree from move to move.

    >>> import boughs
    >>> with boughs.Search("connect4", threads=2) as search:
    ...     report = search.run(iterations=5_000)
    ...     search.advance(report.best)
    ...     answer = search.run(iterations=5_000)
    >>> answer.inherited > 0
    True

    ``game`` is a name with options, such as ``"hex:size=7"``, a `Position`, or a game of your own (`Game`). ``moves``
    lead to the position: a text, or a list of moves. ``agent`` is a text such as ``"mcts:c=1.2"``; the game has a
    default. ``memory`` bounds the tree, as in ``"64M"``. ``evaluator`` values positions instead of playouts, or beside
    them with the key ``mix`` of the agent (`Evaluator`).

    While a search runs, other threads of Python run. A game or an evaluator in Python runs on one core with any number
    of threads, because the interpreter runs one thread at a time.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        moves: str | Sequence[Any] | None = None,
        agent: str | None = None,
        threads: int | None = None,
        memory: str | int | None = None,
        seed: int = 0,
        evaluator: AnyEvaluator | None = None,
    ) -> None:
        bound = None if memory is None else str(memory)
        self._search = _boughs.Search(game, moves, agent, threads, bound, seed, evaluator)
        self._look()

    def _look(self) -> None:
        self._board, self._turn = self._search.board(), self._search.turn()

    def _report(self, found: dict[str, Any]) -> Report:
        return Report(
            game=self._search.spec, agent=self._search.agent, board=self._board, turn=self._turn, **found
        )

    def run(
        self, *, time: float | None = None, iterations: int | None = None, early_stop: bool = True
    ) -> Report:
        """Search until the first limit is reached: seconds, or playouts. Without a limit it takes a second.

        A search ends early when no other move can overtake the best one, unless ``early_stop`` is false. Ctrl-C ends
        it and raises KeyboardInterrupt.
        """
        try:
            self._search.start(time, iterations, early_stop)
            self._search.wait()
        except _boughs.Error:
            # Another search that runs goes on.
            raise
        except BaseException:
            # Ctrl-C may come between the two calls, where no wait has ended the search.
            if self._search.is_running:
                self._search.stop()
            raise
        return self.report

    def start(
        self, *, time: float | None = None, iterations: int | None = None, early_stop: bool = True
    ) -> None:
        """Begin to search, and return at once."""
        self._search.start(time, iterations, early_stop)

    def ponder(self) -> None:
        """Begin to search without a limit, and return at once. For the time in which an opponent thinks."""
        self._search.start(unlimited=True)

    def watch(
        self,
        *,
        time: float | None = None,
        iterations: int | None = None,
        early_stop: bool = True,
        every: float = 0.1,
    ) -> Iterator[Report]:
        """Search, and give a report every ``every`` seconds; the last one is the result.

        >>> import boughs
        >>> reports = list(boughs.Search("hex").watch(time=0.3, every=0.1, early_stop=False))
        >>> reports[-1].iterations >= reports[0].iterations
        True
        """
        every = float(every)
        if not every >= 0:
            raise _boughs.Error(f"every = {every} is no time; give seconds, such as 0.1")
        try:
            self._search.start(time, iterations, early_stop)
            while not self._search.wait(every):
                found = self._search.report()
                if found is not None:
                    yield self._report(found)
            yield self.report
        except _boughs.Error:
            raise
        except BaseException:
            # The loop breaks off, or Ctrl-C came.
            if self._search.is_running:
                self._search.stop()
            raise

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the search has ended, at most some seconds. Returns True if it has."""
        return self._search.wait(seconds)

    def stop(self) -> Report:
        """End the search, and return its report."""
        self._search.stop()
        return self.report

    @property
    def is_running(self) -> bool:
        """True while the search goes on."""
        return self._search.is_running

    @property
    def report(self) -> Report:
        """The report of the last search, or of the running one as it is now."""
        found = self._search.report()
        if found is None:
            raise _boughs.Error("there is no report yet; start the search, and wait for a moment")
        return self._report(found)

    @property
    def agent(self) -> str:
        """The agent with its settings, as text."""
        return self._search.agent

    @property
    def turn(self) -> int | None:
        """The player to move, -1 for chance, None at the end."""
        return self._turn

    @property
    def board(self) -> str:
        """The drawing of the position, as the player to move sees it."""
        return self._board

    def advance(self, move: Any) -> None:
        """Play a move of any player, and keep the part of the tree below it. Ends a running search.

        The exception of a game that ended the search in the background is raised here, unless `report` has raised it.
        """
        self._search.advance(move)
        self._look()

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._search.is_running:
            self._search.stop()
        if kind is None:
            self._search.raise_fault()

    def __repr__(self) -> str:
        state = "running" if self.is_running else "at rest"
        return f"<boughs.Search of {self._search.spec} by {self.agent}, {state}>"


def search(
    game: AnyGame,
    *,
    moves: str | Sequence[Any] | None = None,
    agent: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    seed: int = 0,
    evaluator: AnyEvaluator | None = None,
    time: float | None = None,
    iterations: int | None = None,
    early_stop: bool = True,
) -> Report:
    """Search a position, and say which move is best. The arguments are those of `Search` and of `Search.run`.

    >>> import boughs
    >>> boughs.search("tictactoe", moves="1524", iterations=2_000).best
    '3'

    >>> boughs.search("connect5")
    Traceback (most recent call last):
        ...
    boughs.Error: there is no game 'connect5'; did you mean connect4? the games are ...
    """
    running = Search(
        game, moves=moves, agent=agent, threads=threads, memory=memory, seed=seed, evaluator=evaluator
    )
    return running.run(time=time, iterations=iterations, early_stop=early_stop)
