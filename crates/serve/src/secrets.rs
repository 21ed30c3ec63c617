//! Moves that a viewer may not see. The page gets a mark for each instead of its text, and sends the marks back.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use aes_siv::aead::{Generate, Key, KeyInit};
use aes_siv::siv::Aes128Siv;
use boughs::{Information, Rng, Session, Turn};
use tempfile::{NamedTempFile, PersistError};

use crate::refusal::Refusal;

/// The sign before a mark.
const SIGN: char = '?';

/// Marks are as long as texts of this length or a multiple of it, so that their length tells little.
const BLOCK: usize = 32;

/// The bytes of a key, and of the random number in each mark.
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 16;

/// The key of marks. A mark is the text of a move, encrypted so that it is good for one place of one game: anywhere
/// else it tells nothing.
pub(crate) struct Secrets {
    key: Key<Aes128Siv>,
}

impl Secrets {
    /// A key for this run of the server.
    pub(crate) fn new() -> Secrets {
        Secrets { key: Key::<Aes128Siv>::generate() }
    }

    /// The key of a file, which is made if there is none, so that links hold longer than a run of the server.
    pub(crate) fn kept_in(path: &Path) -> Result<Secrets, String> {
        let fault = |why: &dyn std::fmt::Display| format!("'{}': {why}", path.display());
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| fault(&error))?;
        if !path.exists() {
            // The file gets its name when it is whole. It is for its owner alone. Of two servers one makes it.
            let mut made = NamedTempFile::new_in(folder).map_err(|error| fault(&error))?;
            made.write_all(&Secrets::new().key).map_err(|error| fault(&error))?;
            made.as_file().sync_all().map_err(|error| fault(&error))?;
            match made.persist_noclobber(path) {
                Err(PersistError { error, .. }) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(fault(&error));
                }
                Ok(_) | Err(_) => {}
            }
        }
        // A pipe would be waited for.
        let is_file = fs::metadata(path).map_err(|error| fault(&error))?.is_file();
        let mut bytes = Vec::new();
        if is_file {
            let file = fs::File::open(path).map_err(|error| fault(&error))?;
            file.take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| fault(&error))?;
        }
        let key = <[u8; KEY_BYTES]>::try_from(bytes).map_err(|_| fault(&"this is no key; delete the file"))?;
        Ok(Secrets { key: key.into() })
    }

    /// A new mark of a move after others.
    pub(crate) fn hide(&self, game: &str, before: &[String], text: &str) -> String {
        let mut padded = text.as_bytes().to_vec();
        // No text of a move has a zero.
        padded.resize((text.len() + 1).next_multiple_of(BLOCK), 0);
        let nonce = <[u8; NONCE_BYTES]>::generate();
        let sealed = Aes128Siv::new(&self.key).encrypt([&place(game, before)[..], &nonce], &padded).unwrap_or_default();
        nonce.iter().chain(&sealed).fold(SIGN.to_string(), |mark, byte| mark + &format!("{byte:02x}"))
    }

    /// Returns true if a text stands for a hidden move.
    pub(crate) fn is_mark(text: &str) -> bool {
        text.starts_with(SIGN)
    }

    /// The text of a hidden move after others.
    pub(crate) fn reveal(&self, game: &str, before: &[String], mark: &str) -> Result<String, Refusal> {
        let open = || {
            let bytes = bytes_of(mark.strip_prefix(SIGN)?)?;
            let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
            let padded = Aes128Siv::new(&self.key).decrypt([&place(game, before)[..], nonce], sealed).ok()?;
            let text = String::from_utf8(padded).ok()?;
            Some(text.trim_end_matches('\0').to_string())
        };
        open().ok_or_else(|| Refusal::missing("the hidden moves of this game are not known here; start a new game"))
    }
}

/// A place of a game as bytes.
fn place(game: &str, before: &[String]) -> Vec<u8> {
    serde_json::to_vec(&(game, before)).unwrap_or_default()
}

/// The bytes of hexadecimal digits.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return None;
    }
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}

/// Returns for each move of a game whether a viewer may see it. `start` is the position before the first one.
///
/// The answer is a function of what the viewer knows, so it is the same after all that others may have done in secret.
pub(crate) fn visible(start: &dyn Session, moves: &[u32], viewer: Option<usize>) -> Vec<bool> {
    let information = start.facts().information;
    let (Some(viewer), false) = (viewer, information == Information::Perfect) else { return vec![true; moves.len()] };
    let mut end = start.clone_session();
    moves.iter().for_each(|&action| end.apply(action));
    if end.turn() == Turn::Over {
        return vec![true; moves.len()];
    }
    let mut position = start.clone_session();
    let mut seen = Vec::with_capacity(moves.len());
    for (place, &action) in moves.iter().enumerate() {
        seen.push(match (position.turn(), information) {
            (Turn::Player(player), _) if player == viewer => true,
            (Turn::Player(_), Information::Hidden) => is_seen_at_once(&*position, action, viewer, place as u64),
            (Turn::Player(_), _) => is_told(&*position, &moves[place..], viewer),
            (Turn::Chance, _) => information == Information::Simultaneous,
            (Turn::Over, _) => false,
        });
        position.apply(action);
    }
    seen
}

/// Returns true if the choice that begins a course of moves has been told to a viewer in it. All choices at one time
/// are told together and to all players, so it is if the viewer knows the course from that of any other choice.
fn is_told(position: &dyn Session, course: &[u32], viewer: usize) -> bool {
    let legal = position.legal_moves();
    let other = legal.into_iter().map(|(other, _)| other).find(|other| Some(other) != course.first());
    let Some(other) = other else { return true };
    let (mut one, mut instead) = (position.clone_session(), position.clone_session());
    for (place, &action) in course.iter().enumerate() {
        let replaced = if place == 0 { other } else { action };
        // A choice bars no choice at the same time, and what comes later is compared no more.
        if !instead.legal_moves().iter().any(|&(legal, _)| legal == replaced) {
            return false;
        }
        one.apply(action);
        instead.apply(replaced);
        if one.information(viewer) != instead.information(viewer) {
            return true;
        }
    }
    false
}

/// The number of positions that stand for all that a viewer takes for possible.
const WORLDS: u64 = 4;

/// Returns true if a viewer knows an action of another player from all others that this player may have had. The legal
/// ones of the true position would tell of that player's secrets, so those of drawn positions are compared.
fn is_seen_at_once(position: &dyn Session, action: u32, viewer: usize, place: u64) -> bool {
    let after = |position: &dyn Session, action| {
        let mut after = position.clone_session();
        after.apply(action);
        after.information(viewer)
    };
    let known = after(position, action);
    (0..WORLDS).all(|world| {
        let mut drawn = position.clone_session();
        drawn.determinize(viewer, &mut Rng::new(world, place));
        let others = drawn.legal_moves().into_iter().map(|(other, _)| other).filter(|&other| other != action);
        drawn.turn() != position.turn() || others.into_iter().all(|other| after(&*drawn, other) != known)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(game: &str, moves: &str, viewer: usize) -> Vec<bool> {
        let mut position = boughs_games::start(game).expect("a game").position;
        let start = position.clone();
        let moves = position.play_moves(moves).expect("legal moves");
        visible(&*start, &moves, Some(viewer))
    }

    #[test]
    fn a_choice_is_seen_when_both_are_made() {
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3", 1), [false]);
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3", 0), [true]);
        assert_eq!(seen("goofspiel:cards=5,order=descending", "3 2", 1), [true, true]);
    }

    /// Plays games at random. Of the choices of others only the last one, while it is secret, is hidden at each moment.
    #[test]
    fn a_choice_is_hidden_no_longer_than_it_is_secret() {
        for (game, most) in [("photosynthesis", 60), ("goofspiel:cards=6", 60), ("matrix", 60)] {
            let start = boughs_games::start(game).expect("a game").position;
            for (seed, viewer) in (0..4).flat_map(|seed| [(seed, 0), (seed, 1)]) {
                let (mut position, mut rng, mut moves) = (start.clone(), Rng::new(seed, 0), Vec::new());
                while moves.len() < most {
                    let (turn, known) = (position.turn(), position.information(viewer));
                    let choices = position.legal_moves().len();
                    moves.push(match turn {
                        Turn::Chance => position.chance(&mut rng).expect("an outcome"),
                        _ => position.random_action(&mut rng).expect("a choice"),
                    });
                    position.apply(moves[moves.len() - 1]);
                    if position.turn() == Turn::Over {
                        break;
                    }
                    let is_others = matches!(turn, Turn::Player(player) if player != viewer);
                    let is_secret = is_others && choices > 1 && position.information(viewer) == known;
                    let mut wanted = vec![true; moves.len()];
                    wanted[moves.len() - 1] = !is_secret;
                    assert_eq!(visible(&*start, &moves, Some(viewer)), wanted, "{game}: {}", start.write_moves(&moves));
                }
            }
        }
    }

    #[test]
    fn a_deal_is_hidden_until_the_end_and_a_bet_is_not() {
        let start = boughs_games::start("kuhn").expect("a game").position;
        let (deal, _) = start.legal_moves()[0].clone();
        let mut dealt = start.clone();
        dealt.apply(deal);
        let (bet, _) = dealt.legal_moves()[0].clone();
        assert_eq!(visible(&*start, &[deal, bet], Some(1)), [false, true]);
        assert_eq!(visible(&*start, &[deal, bet], None), [true, true]);
    }

    #[test]
    fn a_mark_leads_back_to_its_move() {
        let secrets = Secrets::new();
        let mark = secrets.hide("kuhn", &[], "KQ");
        assert!(mark.starts_with('?') && !mark.contains('K'));
        assert_eq!(secrets.reveal("kuhn", &[], &mark), Ok("KQ".to_string()));
        // The same deal has another mark in another game.
        assert_ne!(secrets.hide("kuhn", &[], "KQ"), mark);
        assert_eq!(secrets.hide("kuhn", &[], "a longer text").len(), mark.len());
        // In another game, at another place and with another key it tells nothing.
        assert!(secrets.reveal("whist", &[], &mark).is_err());
        assert!(secrets.reveal("kuhn", &["KQ".to_string()], &mark).is_err());
        assert!(Secrets::new().reveal("kuhn", &[], &mark).is_err());
        for wrong in ["?", "?0", "?zz", "?\u{e9}a", "?00", &mark[..20], &mark.replace('?', "?00")] {
            assert!(secrets.reveal("kuhn", &[], wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a").join("key");
        let mark = Secrets::kept_in(&path).unwrap().hide("kuhn", &[], "KQ");
        assert_eq!(Secrets::kept_in(&path).unwrap().reveal("kuhn", &[], &mark), Ok("KQ".to_string()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&path, "short").unwrap();
        assert!(Secrets::kept_in(&path).err().unwrap().contains("no key"));
        assert!(Secrets::kept_in(&path.join("below")).is_err());
        assert!(Secrets::kept_in(folder.path()).is_err(), "a folder is no key");
    }

    #[test]
    fn servers_that_start_together_have_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let keys: Vec<Secrets> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8).map(|_| scope.spawn(|| Secrets::kept_in(&path).unwrap())).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        let mark = keys[0].hide("kuhn", &[], "KQ");
        assert!(keys.iter().all(|key| key.reveal("kuhn", &[], &mark).is_ok()));
    }
}
