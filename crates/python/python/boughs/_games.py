"""Games: those of the engine, and those of your own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _boughs
from ._table import Table

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

#: The number of chance in ``turn()``.
CHANCE = -1


class Game(Protocol):
    """A game of your own: any class with these four methods. It need not inherit from this one.

    >>> class Nim:
    ...     '''Players take one to three stones in turn. The player who takes the last stone wins.'''
    ...     def __init__(self, stones=10):
    ...         self.stones, self.player = stones, 0
    ...     def turn(self):
    ...         return self.player if self.stones else None
    ...     def moves(self):
    ...         return list(range(1, min(self.stones, 3) + 1))
    ...     def play(self, take):
    ...         self.stones -= take
    ...         self.player = 1 - self.player
    ...     def rewards(self):
    ...         return (0.0, 1.0) if self.player == 0 else (1.0, 0.0)
    >>> import boughs
    >>> boughs.search(Nim(10), iterations=5_000).best
    2

    Everything else is optional:

    - ``players = 3``: the number of players, 2 without it
    - ``bounds = (-1, 1)``: the least and the greatest reward, ``(0, 1)`` without it, ``None`` if they are unknown
    - ``chance()``: the weights of the outcomes that ``moves()`` lists where ``turn()`` is ``boughs.CHANCE``
    - ``information(player)``: a hashable value of all that a player knows, and ``determinize(player, rng)``, which
      draws anew what the player does not know, by ``rng``, a ``random.Random``: for games with hidden information
    - ``copy()``: a copy of the position. Without it, attributes that are numbers, texts, lists, dictionaries and sets
      are copied quickly, and anything else by ``copy.deepcopy``
    - ``text(move)`` and ``board()``, or ``__str__``: texts for people
    - ``cut_rewards()``: the rewards so far, for a playout that is cut before the end of the game or has no move left.
      Without it players share a win, and a single player gets the least reward, or 0 without bounds
    - ``evaluation(player)``: a heuristic value, for beam and exhaustive search

    Moves are hashable; small integers are fastest. A method ``play`` may also return the next position instead of
    changing its own.
    """

    def turn(self) -> int | None:
        """The number of the player to move, `CHANCE`, or None at the end of the game."""
        raise NotImplementedError

    def moves(self) -> Sequence[Any]:
        """The legal moves, always in the same order."""
        raise NotImplementedError

    def play(self, move: Any, /) -> object:
        """Play a move."""
        raise NotImplementedError

    def rewards(self) -> Sequence[float]:
        """The reward of each player at the end of the game."""
        raise NotImplementedError


class Evaluator(Protocol):
    """A model that values positions in batches: an object with this method, or a function.

    The method gets a list of positions: objects of your own game, or a `Position` each for a game of the engine. It
    returns an array of values, of the shape (positions, players). Values are expected rewards, within the ``bounds`` of
    the game.

    For one player, and for two whose rewards sum to a constant, one value for each position will do: that of the
    player to move, and where chance acts that of player 0. The value of the other player is then the least reward plus
    the greatest, minus this one. A game of two players without known bounds needs both values.

    With ``priors = True`` it returns a pair of values and priors. Priors are a list with a sequence for each position,
    in the order of its moves, or an array with a column for each code of a move.

    >>> import numpy as np, boughs
    >>> def stones(positions):
    ...     grids = np.stack([position.grid() for position in positions])
    ...     lead = (grids == 0).sum(axis=(1, 2)) - (grids == 1).sum(axis=(1, 2))
    ...     first = 0.5 + 0.005 * lead
    ...     return np.stack([first, 1 - first], axis=1)
    >>> report = boughs.search("othello", agent="mcts:batch=16", evaluator=stones, iterations=500)
    >>> report.best in report.moves
    True
    """

    def evaluate(self, positions: list[Any], /) -> Any:
        """The values of the positions, or a pair of values and priors."""
        raise NotImplementedError


Position = _boughs.Position

AnyGame: TypeAlias = Union[str, Position, Game]


def games() -> Table:
    """The games of the engine: names, summaries, options, and the agents that suit them.

    >>> import boughs
    >>> "connect4" in boughs.games()["name"]
    True
    """
    rows = [
        dict(zip(("name", "summary", "options", "agent"), row)) for row in _boughs.game_list()
    ]
    return Table.of_rows(rows, ("name", "summary", "options", "agent"))


def default_agent(game: str) -> str:
    """The agent that suits a game.

    >>> import boughs
    >>> boughs.default_agent("connect4")
    'mcts:playout=heavy'
    """
    return _boughs.default_agent_text(game)


def check_game(game: AnyGame, games: int = 200, seed: int = 1) -> str:
    """Check the rules of a game by random play: the same check that the games of the engine pass.

    Returns sentences on the extent of the check. The first broken rule is a `boughs.Error` that names the moves to it,
    and an exception of the game comes out as it is.

    >>> import boughs
    >>> print(boughs.check_game("tictactoe", games=50).splitlines()[0])
    50 random games of at most 9 moves, ... positions.
    """
    return _boughs.check_game(game, games, seed)
