"""Parallel Monte Carlo Tree Search for any game.

A first search, of a game that the engine brings:

>>> import boughs
>>> report = boughs.search("connect4", moves="4453", time=0.1)
>>> report.best in report.moves
True

A game of your own is a class with four methods, ``turn``, ``moves``, ``play`` and ``rewards``; see `Game`.

- `search`, `Search`, `Report`: searches and their results
- `Game`, `Position`, `CHANCE`, `check_game`, `games`: games of your own, and those of the engine
- `Evaluator`: a model of your own that values positions, in batches
- `match`, `tournament`, `scale`, `judge`, `learn`, `replay`, `replay_log`: experiments
- `Store`, `Table`: their results as data frames
- `boughs.openspiel`: searches of the games of OpenSpiel
- `boughs.cluster`: experiments on many machines, with Ray

A fault is a `boughs.Error`, whose text is one sentence with the cure.
"""

from __future__ import annotations

import atexit as _atexit
import os as _os

from . import _boughs
from ._boughs import Error
from ._experiments import (
    Interval,
    Judgement,
    Learned,
    Match,
    Plan,
    Replay,
    Scaling,
    Stage,
    Tournament,
    judge,
    learn,
    match,
    replay,
    replay_log,
    scale,
    tournament,
)
from ._games import CHANCE, Evaluator, Game, Position, check_game, default_agent, games
from ._report import Report
from ._search import Search, search
from ._store import Store
from ._table import Table

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Error",
    "Evaluator",
    "Game",
    "Interval",
    "Judgement",
    "Learned",
    "Match",
    "Plan",
    "Position",
    "Replay",
    "Report",
    "Scaling",
    "Search",
    "Stage",
    "Store",
    "Table",
    "Tournament",
    "check_game",
    "default_agent",
    "games",
    "judge",
    "learn",
    "match",
    "replay",
    "replay_log",
    "scale",
    "search",
    "tournament",
]

# Threads of a search that need the interpreter leave it before it ends.
_atexit.register(_boughs.stop_all)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_boughs.after_fork)
