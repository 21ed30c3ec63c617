"""The result of a search."""

from __future__ import annotations

import dataclasses
import html
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._table import Table, counted

if TYPE_CHECKING:
    import pandas

_BARS = 12
_WIDTH, _ROW, _LEFT, _RIGHT = 560, 24, 90, 170
_COLOURS = {"best": "#2b7a3f", "other": "#9db8a4", "interval": "#333333", "text": "#222222", "grid": "#dddddd"}


@dataclasses.dataclass(frozen=True, eq=False)
class Report:
    """The result of a search: the best move, and the statistics of every move, most playouts first.

    Columns are numpy arrays of one length, in the order of ``moves``:

    >>> import boughs
    >>> report = boughs.search("connect4", iterations=2_000, early_stop=False)
    >>> int(report.playouts.sum()), bool((report.lower <= report.upper).all())
    (2000, True)
    >>> report.to_pandas().columns[:3].tolist()
    ['move', 'playouts', 'mean']

    In a notebook a report shows itself as a picture.
    """

    #: The game, the agent as text, the board, and the player to move (-1 for chance, None at the end).
    game: str
    agent: str
    board: str
    turn: int | None
    #: The move to play; None if there is none.
    best: Any
    #: The legal moves: texts, or the objects of a game in Python.
    moves: list[Any]
    #: The texts of the moves, and the numbers by which the tree knows them.
    texts: list[str]
    codes: NDArray[np.uint32]
    #: Playouts through each move, and their mean reward for the player to move (NaN without playouts).
    playouts: NDArray[np.uint64]
    means: NDArray[np.float64]
    #: The 95 % interval of each mean over playouts (Wilson 1927), and the proven value twice where there is one. NaN
    #: where the bounds of rewards are unknown, and in agents whose means are not over playouts.
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    #: The proven reward of each move, its prior, and its probability in the strategy of regret matching; NaN if none.
    proven: NDArray[np.float64]
    priors: NDArray[np.float64]
    strategy: NDArray[np.float64]
    #: The expected moves after each of the ten most visited moves, and from the position on (principal variation).
    lines: list[list[Any]]
    line: list[Any]
    #: The texts of these lines.
    lines_texts: list[list[str]]
    line_texts: list[str]
    #: The best playout of a game for one player, and its value.
    plan: list[Any] | None
    plan_score: float | None
    #: True if means are scores of the game, or values by its evaluation; false if they are win rates.
    scores: bool
    #: Playouts of this search, and those in the tree from earlier ones.
    iterations: int
    inherited: int
    playouts_per_second: float
    #: The longest path in the tree, the memory of the tree, and the time of the search.
    depth: int
    bytes: int
    seconds: float
    #: The reason why the search ended, such as ``time``, ``decided`` or ``proven``.
    stop: str
    #: Remarks on the search, one sentence each.
    warnings: list[str]

    @property
    def value(self) -> float:
        """The mean reward of the best move; NaN if there is none."""
        return float(self.means[self.moves.index(self.best)]) if self.best in self.moves else float("nan")

    def table(self) -> Table:
        """The statistics of the moves as a table."""
        return Table(
            {
                "move": self.texts,
                "playouts": self.playouts,
                "mean": self.means,
                "lower": self.lower,
                "upper": self.upper,
                "proven": self.proven,
                "prior": self.priors,
                "strategy": self.strategy,
                "line": [" ".join(line) for line in self.lines_texts],
            }
        )

    def to_pandas(self) -> pandas.DataFrame:
        """The statistics of the moves as a data frame."""
        return self.table().to_pandas()

    def _worth(self, mean: float) -> str:
        if mean != mean:
            return ""
        return f"{mean:.2f}" if self.scores else f"{mean * 100:.1f} %"

    def _summary(self) -> str:
        best = "no move to play" if self.best is None else f"best {self.texts[self.moves.index(self.best)]}"
        return (
            f"{best}: {counted(self.iterations, 'playouts')} in {self.seconds:.3f} s, "
            f"{self.playouts_per_second:,.0f} a second, depth {self.depth}, ended by {self.stop}"
        )

    def __repr__(self) -> str:
        rows = [
            f"{text:>8} {count:>11,} {self._worth(float(mean)):>8}"
            for text, count, mean in zip(self.texts, self.playouts.tolist(), self.means)
        ]
        warnings = [f"warning: {warning}" for warning in self.warnings]
        return "\n".join([f"{self.game}, {self._summary()}", *rows, *warnings])

    def _repr_svg_(self) -> str:
        """A bar for the playouts of each move, and its mean with its interval."""
        shown = min(len(self.moves), _BARS)
        height = _ROW * (shown + 2)
        most = max((int(count) for count in self.playouts), default=0) or 1
        middle = (_WIDTH - _LEFT - _RIGHT) / 2
        low, high = self._scale()
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif" '
            f'font-size="12" fill="{_COLOURS["text"]}" role="img"><title>{html.escape(self._summary())}</title>',
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            _label(_LEFT - 8, 16, "move", "end"),
            _label(_LEFT, 16, "playouts", "start"),
            _label(_LEFT + middle + 20, 16, "mean, 95 % interval", "start"),
        ]
        for row in range(shown):
            y = _ROW * (row + 1) + 4
            is_best = self.moves[row] == self.best
            colour = _COLOURS["best" if is_best else "other"]
            width = max(1.0, (middle - 60) * int(self.playouts[row]) / most)
            parts.append(_label(_LEFT - 8, y + 13, self.texts[row], "end", bold=is_best))
            parts.append(f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="16" fill="{colour}"/>')
            parts.append(_label(_LEFT + width + 4, y + 13, f"{int(self.playouts[row]):,}", "start"))
            parts.append(self._mean(row, y, _LEFT + middle + 20, _WIDTH - _RIGHT / 2, low, high, colour))
        hidden = len(self.moves) - shown
        note = f"{hidden} more moves" if hidden else ""
        parts.append(_label(_LEFT, _ROW * (shown + 1) + 16, note, "start"))
        return "".join(parts) + "</svg>"

    def _scale(self) -> tuple[float, float]:
        if not self.scores:
            return 0.0, 1.0
        known = np.concatenate([column[np.isfinite(column)] for column in (self.lower, self.upper, self.means)])
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def _mean(self, row: int, y: int, left: float, right: float, low: float, high: float, colour: str) -> str:
        def place(value: float) -> float:
            return left + (right - left) * (min(max(value, low), high) - low) / (high - low)

        line = f'<line x1="{left}" x2="{right}" y1="{y + 8}" y2="{y + 8}" stroke="{_COLOURS["grid"]}"/>'
        mean = float(self.means[row])
        if mean != mean:
            return line
        if np.isfinite(self.lower[row]):
            ends = place(float(self.lower[row])), place(float(self.upper[row]))
            line += (
                f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y + 8}" y2="{y + 8}" '
                f'stroke="{_COLOURS["interval"]}" stroke-width="2"/>'
            )
        proven = " proven" if np.isfinite(self.proven[row]) else ""
        dot = f'<circle cx="{place(mean):.1f}" cy="{y + 8}" r="4" fill="{colour}"/>'
        return line + dot + _label(right + 8, y + 13, self._worth(mean) + proven, "start")

    def _repr_html_(self) -> str:
        board = f"<pre style='line-height:1.2'>{html.escape(self.board.rstrip())}</pre>" if self.board.strip() else ""
        warnings = "".join(f"<p>warning: {html.escape(warning)}</p>" for warning in self.warnings)
        line = " ".join(map(html.escape, self.line_texts))
        expected = f"<p>expected line: {line}</p>" if self.line else ""
        head = f"<p><b>{html.escape(self.game)}</b>, {html.escape(self._summary())}</p>"
        return (
            f"<div>{head}<div style='display:flex;gap:24px;align-items:flex-start'>{board}{self._repr_svg_()}</div>"
            f"{expected}{warnings}</div>"
        )


def _label(x: float, y: float, text: str, anchor: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{html.escape(text)}</text>'
