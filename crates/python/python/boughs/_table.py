"""Tables: columns of numbers and texts, with or without pandas."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

_SHOWN = 20


def counted(number: int, things: str) -> str:
    """A number of things, which are given in their plural.

    >>> counted(1, "games"), counted(2000, "games")
    ('1 game', '2,000 games')
    """
    return f"{number:,} {things.removesuffix('s') if number == 1 else things}"


class Table(Mapping[str, NDArray[Any]]):
    """Columns by name, each a numpy array of one length.

    >>> table = Table({"threads": [1, 2], "speed": [1.0, 1.9]})
    >>> float(table["speed"].max())
    1.9
    >>> table.size, list(table)
    (2, ['threads', 'speed'])

    ``to_pandas()`` gives the same as a data frame.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        self._columns = {name: _array(values) for name, values in columns.items()}

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
        """Make a table of these columns from rows, which are dictionaries."""
        return cls({name: [row[name] for row in rows] for name in names})

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Count the columns, as a dictionary does. ``size`` counts the rows."""
        return len(self._columns)

    @property
    def size(self) -> int:
        """The number of rows."""
        return next((len(column) for column in self._columns.values()), 0)

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        lists = {name: column.tolist() for name, column in self._columns.items()}
        return [{name: values[row] for name, values in lists.items()} for row in range(self.size)]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame."""
        import pandas

        return pandas.DataFrame(dict(self._columns))

    def __repr__(self) -> str:
        rows = [list(self._columns), *([_text(value) for value in row.values()] for row in self.rows()[:_SHOWN])]
        widths = [max((len(row[place]) for row in rows), default=0) for place in range(len(self._columns))]
        lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths)) for row in rows]
        return "\n".join(lines + ([f"... {self.size} rows"] if self.size > _SHOWN else []))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        cells = ["".join(f"<td>{html.escape(_text(value))}</td>" for value in row.values()) for row in self.rows()]
        body = "".join(f"<tr>{row}</tr>" for row in cells[:_SHOWN])
        more = f"<p>{self.size} rows</p>" if self.size > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _array(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    """An array of numbers or texts; of objects where values are lists."""
    if isinstance(values, np.ndarray):
        return values
    if all(isinstance(value, (bool, np.bool_)) for value in values):
        return np.array(values, dtype=bool)
    if all(value is None or isinstance(value, (int, float, np.number)) for value in values):
        if any(value is None or isinstance(value, float) for value in values):
            return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array


def _text(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return str(value)
