//! Finds keys of front matter that are probably misspelled.

use strsim::osa_distance;

use super::front_matter::FrontMatter;

/// The keys that a registry or the Agent Skills specification gives a meaning.
const KEYS: [&str; 11] = [
    "name",
    "description",
    "version",
    "title",
    "license",
    "homepage",
    "keywords",
    "tags",
    "metadata",
    "allowed-tools",
    "compatibility",
];

/// Words that are close to these keys, but mean something else.
const OTHERS: [&str; 5] = ["mode", "table", "game", "tag", "times"];

/// The length from which keys may have two typing errors. In shorter ones that is too large a part.
const MIN_LONG: usize = 7;

/// Finds the misspelled keys, each with the key that is probably meant. A key that is present as well
/// is not meant.
pub(super) fn find(front_matter: &FrontMatter) -> Vec<(&str, &'static str)> {
    let is_missing = |known: &&&'static str| !front_matter.map.contains_key(**known);
    let meant =
        |key: &String| KEYS.iter().filter(is_missing).find(|known| is_misspelled(key, known)).copied();
    front_matter.map.keys().filter_map(|key| Some((key.as_str(), meant(key)?))).collect()
}

fn is_misspelled(key: &str, known: &str) -> bool {
    if key == known || key.len() > 2 * known.len() || OTHERS.contains(&key) || KEYS.contains(&key) {
        return false;
    }
    let key = key.to_lowercase().replace(['_', ' '], "-");
    let most = if known.len() < MIN_LONG { 1 } else { 2 };
    osa_distance(&key, known) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_key_is_close_to_a_known_one() {
        for (key, known) in [
            ("descripton", "description"),
            ("descirption", "description"),
            ("Description", "description"),
            ("desciption", "description"),
            ("licence", "license"),
            ("Name", "name"),
            ("nmae", "name"),
            ("allowed_tools", "allowed-tools"),
            ("allowedTools", "allowed-tools"),
            ("keyword", "keywords"),
            ("verison", "version"),
            ("home-page", "homepage"),
            ("meta-data", "metadata"),
        ] {
            assert!(is_misspelled(key, known), "{key}");
        }
        for key in [
            "name",
            "game",
            "mode",
            "model",
            "author",
            "tools",
            "category",
            "argument-hint",
            "type",
            "label",
            "date",
        ] {
            assert!(KEYS.iter().all(|known| !is_misspelled(key, known)), "{key}");
        }
    }
}
