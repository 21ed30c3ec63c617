-- Measurements, such as those of boughs scale. One that goes on has its results so far.

CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    command TEXT NOT NULL,
    -- JSON.
    report TEXT NOT NULL,
    -- HTML.
    page TEXT NOT NULL,
    -- 1 when nothing more is measured.
    is_over INTEGER NOT NULL,
    began REAL NOT NULL DEFAULT (unixepoch('subsec')),
    changed REAL NOT NULL DEFAULT (unixepoch('subsec')),
    -- The version of Boughs.
    version TEXT NOT NULL
) STRICT;
