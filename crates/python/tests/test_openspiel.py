"""Games of OpenSpiel, where it is installed."""

from __future__ import annotations

import random
from typing import Any

import pytest

import boughs

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
import boughs.openspiel  # noqa: E402

#: Perfect information, chance, hidden cards, simultaneous moves, one player, many players.
GAMES = [
    "tic_tac_toe", "connect_four", "breakthrough", "go(board_size=5)", "oware", "pig", "backgammon", "2048",
    "blackjack", "kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "hearts", "gin_rummy", "matrix_rps",
    "goofspiel(num_cards=4)", "oshi_zumo", "cliff_walking",
]  # fmt: skip


def decision(name: str) -> Any:
    """A state of a game in which a player acts, after random moves."""
    rng = random.Random(name)

    def deal(state: Any) -> Any:
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(outcomes, weights)[0])
        return state

    while True:
        state = deal(pyspiel.load_game(name).new_initial_state())
        for _ in range(2):
            if not state.is_terminal() and not state.is_simultaneous_node():
                state.apply_action(rng.choice(state.legal_actions()))
                deal(state)
        if not state.is_terminal():
            return state


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_openspiel_is_searched(name: str) -> None:
    state = decision(name)
    before = str(state)
    report = boughs.openspiel.search(state, iterations=300)
    player = 0 if state.is_simultaneous_node() else state.current_player()
    assert report.best in state.legal_actions(player) and str(state) == before
    assert not [warning for warning in report.warnings if "reward" in warning], report.warnings


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "leduc_poker", "matrix_rps", "goofspiel(num_cards=3)"])
def test_a_game_of_openspiel_keeps_the_rules(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert "random games" in boughs.check_game(boughs.openspiel.game(state), games=5)


def test_a_win_is_found() -> None:
    state = pyspiel.load_game("connect_four").new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    report = boughs.openspiel.search(state, iterations=1_000)
    assert report.best == 3 and report.value > 0.9


def test_hidden_cards_are_not_seen() -> None:
    """In Kuhn poker the second player with a queen cannot know if a bet is a bluff, with either card of the first."""
    values = []
    for first in (0, 2):
        state = pyspiel.load_game("kuhn_poker").new_initial_state()
        for action in (first, 1, 1):
            state.apply_action(action)
        report = boughs.openspiel.search(state, agent="mcts", iterations=20_000, early_stop=False)
        values.append(report.means[report.moves.index(1)])
    assert abs(values[0] - values[1]) < 0.15, values


def test_simultaneous_moves_are_secret() -> None:
    state = pyspiel.load_game("matrix_rps").new_initial_state()
    search = boughs.Search(boughs.openspiel.game(state), moves=[0])
    report = search.run(iterations=20_000, early_stop=False)
    assert report.turn == 1 and abs(report.value) < 0.2, report


def test_games_whose_cards_cannot_be_drawn_anew_are_refused() -> None:
    for name in ("phantom_ttt", "liars_dice"):
        with pytest.raises(boughs.Error, match="OpenSpiel cannot draw anew"):
            boughs.openspiel.search(decision(name), iterations=10)
    with pytest.raises(boughs.Error, match="mean field game"):
        boughs.openspiel.search(pyspiel.load_game("mfg_crowd_modelling").new_initial_state())


def test_outcomes_of_chance_are_one_list_with_their_weights() -> None:
    class Turned:
        """A state whose list of actions has another order than its outcomes."""

        def __init__(self, state: Any) -> None:
            self.state = state

        def __getattr__(self, name: str) -> Any:
            return getattr(self.state, name)

        def legal_actions(self) -> list[int]:
            actions: list[int] = self.state.legal_actions()
            return actions[::-1]

    game = boughs.openspiel.Game(Turned(pyspiel.load_game("kuhn_poker").new_initial_state()))
    assert list(zip(game.moves(), game.chance())) == game.state.chance_outcomes()


def test_a_cut_playout_has_the_returns_so_far() -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert boughs.openspiel.game(state).cut_rewards() == state.returns()
