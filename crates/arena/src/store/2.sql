-- The best that was ever reached in a case: the score of a contest, more is better.

CREATE TABLE cases (
    game TEXT NOT NULL,
    -- A seed or the name of a file.
    name TEXT NOT NULL,
    -- Of what is in the case, so that another one of the same name is another one.
    checksum TEXT NOT NULL,
    best REAL NOT NULL,
    -- Who reached it, and the command line.
    contestant TEXT NOT NULL,
    command TEXT NOT NULL,
    reached REAL NOT NULL DEFAULT (unixepoch('subsec')),
    -- The version of Boughs.
    version TEXT NOT NULL,
    PRIMARY KEY (game, name, checksum)
) STRICT, WITHOUT ROWID;
