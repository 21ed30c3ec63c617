//! The tables, and the migration of stores of older versions.

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// The application number in the head of a store: "Bghs".
const APPLICATION: u32 = 0x4267_6873;

/// The steps of the migration. Step n, counted from 1, leads from version n - 1 to version n. A released step never
/// changes.
const MIGRATIONS: &[&str] =
    &[include_str!("1.sql"), include_str!("2.sql"), include_str!("3.sql"), include_str!("4.sql")];

/// Refuses a file that is no store or has a newer schema. Writes nothing.
pub(super) fn check(connection: &Connection, name: &str) -> Result<(), StoreError> {
    // One transaction sees the file before or after another process makes a store of it, and no state in between.
    let look = connection.unchecked_transaction().map_err(|error| StoreError::of(name, error))?;
    check_against(&look, name, MIGRATIONS.len())
}

/// Migrates a store of any version to the tables of this one.
pub(super) fn migrate(connection: &mut Connection, name: &str) -> Result<(), StoreError> {
    migrate_by(connection, name, MIGRATIONS)
}

fn check_against(connection: &Connection, name: &str, known: usize) -> Result<(), StoreError> {
    let number = |sql| connection.query_row(sql, (), |row| row.get::<_, i64>(0));
    let failed = |error| StoreError::of(name, error);
    let application = number("PRAGMA application_id").map_err(failed)?;
    let tables = number("SELECT count(*) FROM sqlite_schema").map_err(failed)?;
    let version = number("PRAGMA user_version").map_err(failed)?;
    let is_new = application == 0 && tables == 0 && version == 0;
    if application != i64::from(APPLICATION) && !is_new {
        return Err(StoreError::foreign(name));
    }
    match usize::try_from(version) {
        Ok(version) if version <= known => Ok(()),
        _ => Err(StoreError::newer(name, version, known)),
    }
}

/// Runs the missing steps in one transaction, so that a store is never between two versions. The version is read inside
/// it, because another process may be migrating too.
fn migrate_by(connection: &mut Connection, name: &str, steps: &[&str]) -> Result<(), StoreError> {
    let failed = |error| StoreError::of(name, error);
    let version: usize = connection.query_row("PRAGMA user_version", (), |row| row.get(0)).map_err(failed)?;
    if version == steps.len() {
        // Nothing to write, so no other writer is waited for.
        return check_against(connection, name, steps.len());
    }
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    check_against(&change, name, steps.len())?;
    let version: usize = change.query_row("PRAGMA user_version", (), |row| row.get(0)).map_err(failed)?;
    if version == steps.len() {
        return Ok(());
    }
    let run = || {
        for step in &steps[version..] {
            change.execute_batch(step)?;
        }
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.pragma_update(None, "user_version", steps.len())
    };
    run().map_err(failed)?;
    change.commit().map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{EventId, game};
    use super::*;
    use crate::{Ending, Fault};

    const STEPS: [&str; 2] = [
        "CREATE TABLE games (moves TEXT); INSERT INTO games VALUES ('a1 b2')",
        "ALTER TABLE games ADD COLUMN opening TEXT NOT NULL DEFAULT 'none'",
    ];

    fn number(connection: &Connection, sql: &str) -> i64 {
        connection.query_row(sql, (), |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_store_gets_the_steps_it_lacks_and_keeps_its_games() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, "x", &STEPS[..1]).unwrap();
        assert_eq!(number(&connection, "PRAGMA user_version"), 1);
        for _ in 0..2 {
            migrate_by(&mut connection, "x", &STEPS).unwrap();
            assert_eq!(number(&connection, "PRAGMA user_version"), 2);
            assert_eq!(number(&connection, "SELECT count(*) FROM games WHERE opening = 'none'"), 1);
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_store_at_its_version() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, "x", &STEPS[..1]).unwrap();
        let steps = [STEPS[0], STEPS[1], "CREATE TABLE games (again TEXT)"];
        assert!(migrate_by(&mut connection, "x", &steps).is_err());
        assert_eq!(number(&connection, "PRAGMA user_version"), 1);
        assert_eq!(number(&connection, "SELECT count(*) FROM pragma_table_info('games')"), 1);
        migrate_by(&mut connection, "x", &STEPS).unwrap();
    }

    #[test]
    fn faults_that_stood_with_games_stand_with_their_seats() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, "x", &MIGRATIONS[..2]).unwrap();
        connection
            .execute_batch("INSERT INTO events (id, kind, conditions, command) VALUES (1, 'match', '{}', '')")
            .unwrap();
        let games = [
            "'over', NULL, NULL, NULL, NULL",
            "'illegal', 1, 'e9', NULL, NULL",
            "'late', 0, NULL, 7, 5",
            "'cut', NULL, NULL, NULL, NULL",
        ];
        for (number, ending) in games.iter().enumerate() {
            let game = format!(
                "INSERT INTO games (id, event, number, round, seed, opening, moves, ending, forfeited_by, detail,
                    after_ns, allowed_ns, began, took_ns, version, replay)
                VALUES ({number} + 7, 1, {number}, 0, '1', '', 'a1', {ending}, 0.0, 1, '', '');
                INSERT INTO seats VALUES
                    ({number} + 7, 0, 0, 1.0, 1, 1, 1, 0, ''), ({number} + 7, 1, 1, 0.0, 1, 1, 1, 0, '')"
            );
            connection.execute_batch(&game).unwrap();
        }
        migrate(&mut connection, "x").unwrap();
        let ending = |number| game::first(&connection, EventId(1), number).unwrap().unwrap().record.ending;
        let late = Fault::Late { after: Duration::from_nanos(7), allowed: Duration::from_nanos(5) };
        let illegal = Fault::Illegal("e9".to_string());
        let expected =
            [Ending::Over, Ending::Forfeit(vec![(1, illegal)]), Ending::Forfeit(vec![(0, late)]), Ending::Cut];
        assert_eq!([0, 1, 2, 3].map(ending), expected);
    }

    #[test]
    fn a_store_of_a_newer_version_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_by(&mut connection, "x", &STEPS).unwrap();
        let error = migrate_by(&mut connection, "x", &STEPS[..1]).unwrap_err().to_string();
        assert!(error.contains("newer Boughs") && error.contains("version 2"), "{error}");
    }
}
