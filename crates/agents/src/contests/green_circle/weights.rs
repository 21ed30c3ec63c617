//! The weights of the evaluation, from a file.

use std::path::Path;

use boughs::{SearchError, SpecError};

/// The weights in a file that `boughs learn` has written.
///
/// # Errors
/// If the file has no weights for Green Circle.
pub(super) fn read(file: &Path) -> Result<Vec<f64>, SearchError> {
    from_file(file).map_err(|fault| {
        SearchError::Setting(SpecError::new(format!(
            "'{}' has no weights for Green Circle: {fault}; try weights=own, or a file that boughs learn \
             green-circle has written",
            file.display()
        )))
    })
}

#[cfg(feature = "crates")]
use self::file::from_file;

#[cfg(feature = "crates")]
mod file {
    use std::path::Path;

    use boughs_games::green_circle::GreenCircle;
    use boughs_games::{Features, NamedGame};
    use serde::Deserialize;

    /// The part of the files that `boughs learn` writes that is needed here.
    #[derive(Deserialize)]
    struct Learned {
        game: Option<String>,
        features: Vec<Weighed>,
    }

    #[derive(Deserialize)]
    struct Weighed {
        name: String,
        weight: f64,
    }

    pub(super) fn from_file(file: &Path) -> Result<Vec<f64>, String> {
        let text = boughs::named_file::read_to_string(file).map_err(|error| error.to_string())?;
        let learned: Learned = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if let Some(other) = learned.game.filter(|game| game != GreenCircle::NAME) {
            return Err(format!("it was learned for {other}"));
        }
        match learned.features.iter().map(|feature| &feature.name).eq(&GreenCircle::names()) {
            true => Ok(learned.features.iter().map(|feature| feature.weight).collect()),
            false => Err("its features are others".to_string()),
        }
    }
}

#[cfg(not(feature = "crates"))]
fn from_file(_: &Path) -> Result<Vec<f64>, String> {
    Err("a build without the feature 'crates' reads no such file".to_string())
}

#[cfg(all(test, feature = "crates"))]
mod tests {
    use super::*;

    #[test]
    fn weights_of_another_game_are_refused_by_its_name() {
        let path = std::env::temp_dir().join(format!("boughs-weights-of-another-game-{}.json", std::process::id()));
        std::fs::write(&path, r#"{"game":"go","features":[]}"#).expect("a folder for such files");
        let fault = read(&path).map_err(|fault| fault.to_string());
        std::fs::remove_file(&path).expect("the file");
        assert!(fault.is_err_and(|fault| fault.contains("it was learned for go; try weights=own")));
    }
}
