"""Games and a log for the tests."""

from __future__ import annotations

import random
from typing import Optional


#: A log of three playouts, as the program writes it.
LOG = """\
boughs-log 1
game tictactoe
position\x20
agent mcts
seed 0
units 2
playout 1 0 0 4,8,2,5,7,6,3,1 0.5,0.5 b5bf44bc0d553803
playout 2 0 1 7,6,3,2,0,4 1,0 26475726a0946875
playout 3 0 2 5,1,0,7,4,8,3 0,1 cf1570e610e316fd
node 0 - 3 0
node 0 0 1 1
node 0 1 1 2
node 0 2 1 0
end 3 4
"""


class Nim:
    """Players take one to three stones in turn. The player who takes the last stone wins."""

    def __init__(self, stones: int = 10) -> None:
        self.stones, self.player = stones, 0

    def turn(self) -> Optional[int]:
        return self.player if self.stones else None

    def moves(self) -> list[int]:
        return list(range(1, min(self.stones, 3) + 1))

    def play(self, take: int) -> None:
        self.stones -= take
        self.player = 1 - self.player

    def rewards(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.player == 0 else (1.0, 0.0)


class TicTacToe:
    """Tic-Tac-Toe on a list, which a copy of a position must not share."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        self.cells: list[Optional[int]] = [None] * 9
        self.player, self.winner = 0, -1

    def turn(self) -> Optional[int]:
        return None if self.winner >= 0 or None not in self.cells else self.player

    def moves(self) -> list[int]:
        return [place for place, owner in enumerate(self.cells) if owner is None]

    def play(self, place: int) -> None:
        self.cells[place] = self.player
        if any(all(self.cells[cell] == self.player for cell in line) for line in self.LINES):
            self.winner = self.player
        self.player = 1 - self.player

    def rewards(self) -> tuple[float, float]:
        if self.winner < 0:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 0 else (0.0, 1.0)


class Die:
    """One player rolls a die of unequal sides, or takes 3.5 at once; scores are the points."""

    players = 1
    bounds = (0, 6)

    def __init__(self) -> None:
        self.state = "choose"
        self.points = 0.0

    def turn(self) -> Optional[int]:
        return {"choose": 0, "roll": -1}.get(self.state)

    def moves(self) -> list[object]:
        return ["roll", "take"] if self.state == "choose" else [1, 2, 3, 4, 5, 6]

    def chance(self) -> list[float]:
        return [0.05, 0.05, 0.1, 0.1, 0.2, 0.5]

    def play(self, move: object) -> None:
        if move == "roll":
            self.state = "roll"
        else:
            self.points = 3.5 if move == "take" else float(str(move))
            self.state = "over"

    def rewards(self) -> list[float]:
        return [self.points]


class HighCard:
    """Both players hold a card of five. The first bets or folds, the second calls or folds. Cards are hidden."""

    bounds = (-2, 2)

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.said: list[str] = []

    def turn(self) -> Optional[int]:
        if len(self.cards) < 2:
            return -1
        return None if "fold" in self.said or len(self.said) == 2 else len(self.said)

    def moves(self) -> list[object]:
        if len(self.cards) < 2:
            return [card for card in range(5) if card not in self.cards]
        return ["bet", "fold"] if not self.said else ["call", "fold"]

    def play(self, move: object) -> None:
        if len(self.cards) < 2:
            self.cards.append(int(str(move)))
        else:
            self.said.append(str(move))

    def rewards(self) -> tuple[float, float]:
        if self.said[0] == "fold":
            return -1, 1
        if self.said[1] == "fold":
            return 1, -1
        return (2, -2) if self.cards[0] > self.cards[1] else (-2, 2)

    def information(self, player: int) -> object:
        return len(self.cards), tuple(self.cards[player : player + 1]), tuple(self.said)

    def determinize(self, player: int, rng: random.Random) -> None:
        if len(self.cards) > 1 - player:
            others = [card for card in range(5) if card != (self.cards[player] if player < len(self.cards) else -1)]
            self.cards[1 - player] = rng.choice(others)


class Simultaneous:
    """Matching pennies, one player after the other in secret."""

    def __init__(self) -> None:
        self.chosen: list[int] = []

    def turn(self) -> Optional[int]:
        return len(self.chosen) if len(self.chosen) < 2 else None

    def moves(self) -> list[int]:
        return [0, 1]

    def play(self, side: int) -> None:
        self.chosen.append(side)

    def rewards(self) -> tuple[float, float]:
        return (1.0, 0.0) if self.chosen[0] == self.chosen[1] else (0.0, 1.0)

    def information(self, player: int) -> object:
        return len(self.chosen), tuple(self.chosen[player : player + 1])

    def determinize(self, player: int, rng: random.Random) -> None:
        if player == 1 and self.chosen:
            self.chosen[0] = rng.randrange(2)
