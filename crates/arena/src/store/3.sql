-- More than one seat may lose by a fault, so faults belong to seats.

ALTER TABLE seats ADD COLUMN fault TEXT;
ALTER TABLE seats ADD COLUMN detail TEXT;
ALTER TABLE seats ADD COLUMN after_ns INTEGER;
ALTER TABLE seats ADD COLUMN allowed_ns INTEGER;

UPDATE seats SET (fault, detail, after_ns, allowed_ns) =
    (SELECT ending, detail, after_ns, allowed_ns FROM games WHERE id = game)
    WHERE EXISTS (SELECT 1 FROM games WHERE id = game AND forfeited_by = seat);

-- How games end: over, cut or forfeit.
UPDATE games SET ending = 'forfeit' WHERE forfeited_by IS NOT NULL;

ALTER TABLE games DROP COLUMN forfeited_by;
ALTER TABLE games DROP COLUMN detail;
ALTER TABLE games DROP COLUMN after_ns;
ALTER TABLE games DROP COLUMN allowed_ns;
