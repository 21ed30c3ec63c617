"""Searches of the games of OpenSpiel.

>>> import pyspiel, boughs.openspiel
>>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
>>> report = boughs.openspiel.search(state, iterations=1_000)
>>> report.best in state.legal_actions()
True

A state in which a player acts can be searched, of games for up to eight players: with chance, and with hidden cards
where OpenSpiel resamples them. Simultaneous moves are made in turns, each without knowledge of the others. Where chance
acts there is no move to choose; apply an outcome first.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from . import _boughs
from ._games import CHANCE
from ._report import Report
from ._search import AnyEvaluator, Search


class Game:
    """A state of OpenSpiel as a game of Boughs. ``state`` is the state of OpenSpiel itself."""

    def __init__(self, state: Any) -> None:
        kind = state.get_game().get_type()
        self.state = state
        self.players = int(state.get_game().num_players())
        self.bounds = _bounds(state.get_game())
        self._chosen: tuple[int, ...] = ()
        self._is_in_turns = kind.dynamics == kind.dynamics.SIMULTANEOUS
        self._is_open = _is_open(kind)

    def _with(self, state: Any, chosen: tuple[int, ...]) -> Any:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.state, other._chosen = state, chosen
        return other

    def copy(self) -> Any:
        """A copy of the position."""
        return self._with(self.state.clone(), self._chosen)

    def turn(self) -> int | None:
        """The player to move; players who choose at the same time do so one after the other."""
        state = self.state
        player = state.current_player()
        if player >= 0:
            return int(player)
        if state.is_terminal():
            return None
        if state.is_chance_node():
            return CHANCE
        return len(self._chosen)

    def moves(self) -> Sequence[int]:
        """The actions of OpenSpiel, which are integers."""
        state = self.state
        if self._is_in_turns and state.is_simultaneous_node():
            # A player without a choice has an action that stands for none.
            legal: list[int] = state.legal_actions(len(self._chosen)) or [0]
            return legal
        if state.is_chance_node():
            return [int(outcome) for outcome, _ in state.chance_outcomes()]
        actions: list[int] = state.legal_actions()
        return actions

    def chance(self) -> list[float]:
        """The probabilities of the outcomes that `moves` lists."""
        return [probability for _, probability in self.state.chance_outcomes()]

    def play(self, move: int) -> None:
        """Apply an action, or keep it until all players have chosen."""
        if not (self._is_in_turns and self.state.is_simultaneous_node()):
            self.state.apply_action(move)
            return
        self._chosen += (move,)
        if len(self._chosen) == self.players:
            self.state.apply_actions(list(self._chosen))
            self._chosen = ()

    def rewards(self) -> list[float]:
        """The returns of the players."""
        returns: list[float] = self.state.returns()
        return returns

    def cut_rewards(self) -> list[float]:
        """The returns so far, for a playout that is cut before the end."""
        return self.rewards()

    def text(self, move: int) -> str:
        """The action as OpenSpiel writes it."""
        state = self.state
        is_in_turns = self._is_in_turns and state.is_simultaneous_node()
        player = len(self._chosen) if is_in_turns else state.current_player()
        return str(state.action_to_string(player, move)).replace(" ", "_")

    def board(self) -> str:
        """The state as OpenSpiel writes it."""
        return str(self.state)


class _Hidden(Game):
    """A game in which players do not know everything."""

    def information(self, player: int) -> object:
        """All that a player knows, as OpenSpiel writes it, with the player's own choice of this moment."""
        chosen = self._chosen[player : player + 1]
        return _information(self.state, player), chosen, self.turn() == player

    def determinize(self, player: int, rng: random.Random) -> Any:
        """A state that the player cannot tell from this one, as OpenSpiel draws it."""
        state = self.state
        if state.is_terminal():
            return self.copy()
        if self._is_in_turns and state.is_simultaneous_node():
            # The choices that others have made in secret are made anew.
            chosen = (
                choice if other == player else rng.choice(state.legal_actions(other) or [0])
                for other, choice in enumerate(self._chosen)
            )
            return self._with(self._resampled(player, rng), tuple(chosen))
        return self._with(self._resampled(player, rng), ())

    def _resampled(self, player: int, rng: random.Random) -> Any:
        if self._is_open:
            return self.state.clone()
        try:
            return self.state.resample_from_infostate(player, rng.random)
        except Exception:
            # Some games cannot be drawn anew while cards are dealt. No search begins there.
            if self.state.is_chance_node():
                return self.state.clone()
            raise

    def board(self) -> str:
        """The information of the player to move."""
        turn = self.turn()
        return str(_information(self.state, turn)) if turn is not None and turn >= 0 else str(self.state)


def _information(state: Any, player: int) -> str:
    return str(state.information_state_string(player))


def _bounds(game: Any) -> tuple[float, float] | None:
    least, most = float(game.min_utility()), float(game.max_utility())
    return (least, most) if abs(least) < 1e9 and abs(most) < 1e9 and least < most else None


def game(state: Any) -> Game:
    """A state of OpenSpiel as a game of Boughs, for `boughs.Search` and `boughs.check_game`.

    >>> import pyspiel, boughs.openspiel
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> boughs.openspiel.game(state).turn()
    0
    """
    kind = state.get_game().get_type()
    if kind.dynamics == kind.dynamics.MEAN_FIELD:
        raise _boughs.Error(f"{kind.short_name} is a mean field game, which has no moves of single players to search")
    is_open = _is_open(kind)
    if is_open and kind.dynamics == kind.dynamics.SEQUENTIAL:
        return Game(state.clone())
    if not is_open:
        _check_resampling(state, kind.short_name)
    return _Hidden(state.clone())


def _is_open(kind: Any) -> bool:
    """Return True if players know everything but the choices that others make at the same time."""
    return kind.information in (kind.information.PERFECT_INFORMATION, kind.information.ONE_SHOT)


def _check_resampling(state: Any, name: str) -> None:
    """Refuse a game whose hidden part OpenSpiel cannot draw anew: a search of it would see that part."""
    player = state.current_player()
    try:
        if player < 0:
            player = 0
        _information(state, player)
        if not (state.is_terminal() or state.is_chance_node()):
            state.resample_from_infostate(player, random.Random(0).random)
    except Exception as fault:
        raise _boughs.Error(
            f"OpenSpiel cannot draw anew what players do not know in {name}, so a search would see it ({fault}); take "
            "a game with information states and ResampleFromInfostate, such as kuhn_poker or leduc_poker"
        ) from fault


def search(
    state: Any,
    *,
    agent: str | None = None,
    memory: str | int | None = None,
    seed: int = 0,
    evaluator: AnyEvaluator | None = None,
    time: float | None = None,
    iterations: int | None = None,
    early_stop: bool = True,
) -> Report:
    """Search a state of OpenSpiel. ``report.best`` is an action of OpenSpiel.

    The keywords are those of `boughs.search` without ``moves`` and ``threads``: threads are a key of the agent, as in
    ``agent="mcts:threads=2"``. An evaluator gets objects whose attribute ``state`` is the state.
    """
    running = Search(game(state), agent=agent, memory=memory, seed=seed, evaluator=evaluator)
    return running.run(time=time, iterations=iterations, early_stop=early_stop)
