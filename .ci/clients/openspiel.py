"""OpenSpiel's GTP client plays Hex and Othello with Boughs against random moves. OpenSpiel knows the rules by itself."""

import random
import sys

import pyspiel
from open_spiel.python.bots import gtp

PROGRAM = sys.argv[1]


def play(name, command, engine_seat, seed):
    """Plays a game to its end. Returns its number of moves."""
    game = pyspiel.load_game(name)
    bot = gtp.GTPBot(game, [PROGRAM, "gtp", command, "--iterations", "200"])
    bot.restart()
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.current_player() == engine_seat:
            action = bot.step(state)
            assert action in state.legal_actions(), f"{name}: {action} is not legal\n{state}"
        else:
            action = rng.choice(state.legal_actions())
            bot.inform_action(state, state.current_player(), action)
        state.apply_action(action)
    assert state.returns()[engine_seat] > 0, f"{name}: Boughs lost to random moves\n{state}"
    moves = len(state.history())
    bot.close()
    return moves


for name, command in [("hex(board_size=7)", "hex:size=7"), ("hex(board_size=11)", "hex"), ("othello", "othello")]:
    moves = [play(name, command, seat, seed) for seat in (0, 1) for seed in (1, 2)]
    print(f"{name}: {len(moves)} games of {moves} moves, all won")
