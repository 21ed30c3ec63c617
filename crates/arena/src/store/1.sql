-- Times that end in _ns are in nanoseconds, those called began in seconds since 1970.

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    -- JSON.
    conditions TEXT NOT NULL,
    command TEXT NOT NULL,
    began REAL NOT NULL DEFAULT (unixepoch('subsec')),
    UNIQUE (kind, conditions)
) STRICT;

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES events,
    number INTEGER NOT NULL,
    round INTEGER NOT NULL,
    -- A number of 64 bits without sign, which SQLite does not have.
    seed TEXT NOT NULL,
    -- Moves with a space between them.
    opening TEXT NOT NULL,
    moves TEXT NOT NULL,
    -- over, cut, or the fault by which a seat lost.
    ending TEXT NOT NULL,
    forfeited_by INTEGER,
    detail TEXT,
    after_ns INTEGER,
    allowed_ns INTEGER,
    began REAL NOT NULL,
    took_ns INTEGER NOT NULL,
    -- The version of Boughs.
    version TEXT NOT NULL,
    -- The command that plays the game again.
    replay TEXT NOT NULL,
    UNIQUE (event, number)
) STRICT;

CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    contestant INTEGER NOT NULL,
    -- Null is what is no number.
    reward REAL,
    moves INTEGER NOT NULL,
    total_ns INTEGER NOT NULL,
    longest_ns INTEGER NOT NULL,
    playouts INTEGER NOT NULL,
    notes TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE columns (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Null is what is no number.
    value REAL,
    PRIMARY KEY (game, seat, name)
) STRICT, WITHOUT ROWID;
