"""The games and measurements that experiments keep in a file."""

from __future__ import annotations

import json
from os import PathLike, fspath
from typing import Any, Union

from . import _boughs
from ._table import Table

_GAMES = (
    "event", "kind", "number", "round", "seats", "rewards", "opening", "moves", "plies", "faults", "playouts",
    "thinking", "seconds", "began", "seed", "replay",
)  # fmt: skip
_EVENTS = ("event", "kind", "game", "contestants", "games", "began", "command")


class Store:
    """The file of an experiment's ``store``, as tables.

    >>> import boughs, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "games.db")
    >>> _ = boughs.match("tictactoe", "mcts", "random", games=4, iterations=20, store=path)
    >>> store = boughs.Store(path)
    >>> store.games()["kind"].tolist()
    ['match', 'match', 'match', 'match']
    >>> store.matches()["games"]
    array([4])
    """

    def __init__(self, path: Union[str, PathLike[str]]) -> None:
        self.path = fspath(path)
        self._overview()

    def _overview(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = json.loads(_boughs.store_overview(self.path))
        return found

    def events(self) -> Table:
        """Matches, tournaments and other events: event, kind, game, contestants, games, began, command."""
        rows = []
        for row in self._overview()["events"]:
            conditions = json.loads(row["conditions"])
            names = [str(name) for name in conditions.get("contestants", [])]
            rows.append({**row, "game": conditions.get("game"), "contestants": names})
        return Table.of_rows(rows, _EVENTS)

    def _of_kind(self, kind: str) -> Table:
        return Table.of_rows([row for row in self.events().rows() if row["kind"] == kind], _EVENTS)

    def matches(self) -> Table:
        """The events that are matches."""
        return self._of_kind("match")

    def tournaments(self) -> Table:
        """The events that are tournaments."""
        return self._of_kind("tournament")

    def games(self, event: int | None = None) -> Table:
        """The games of all events, or of one: event, kind, number, seats, rewards, moves, plies, seconds and more."""
        return Table.of_rows(json.loads(_boughs.store_games(self.path, event)), _GAMES)

    def measurements(self) -> Table:
        """The measurements: id, kind, game, command, is_over, changed."""
        names = ("id", "kind", "game", "command", "is_over", "changed")
        return Table.of_rows(self._overview()["measurements"], names)

    def measurement(self, id: int) -> dict[str, Any]:
        """The report of a measurement, as the program writes it."""
        report: dict[str, Any] = json.loads(_boughs.store_measurement(self.path, id)[0])
        return report

    def cases(self) -> Table:
        """The best scores of judged cases: game, case, score, contestant, command."""
        return Table.of_rows(self._overview()["cases"], ("game", "case", "score", "contestant", "command"))

    def __repr__(self) -> str:
        return f"boughs.Store({self.path!r})"
