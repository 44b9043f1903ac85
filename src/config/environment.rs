//! Settings from the environment: `SKILLMIRROR_MIRROR_WAIT_TIMEOUT` is `mirror.wait_timeout`.

use registry::names::{did_you_mean, nearest};
use toml::{Table, Value};

use super::{SECTIONS, SETTINGS};

/// The beginning of the names of all variables.
const PREFIX: &str = "SKILLMIRROR_";

/// Variables that are no settings: the tokens of the client, the commit of a build, what a signing command
/// gets, and the corpus of the tests. Those of the benchmarks begin with `BENCH_`.
const OTHERS: &[&str] = &["TOKEN", "ID_TOKEN", "READ_TOKEN", "COMMIT", "KEY", "CORPUS"];

/// All variables that are texts.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    let text = |text: std::ffi::OsString| text.into_string().ok();
    std::env::vars_os().filter_map(move |(name, value)| text(name).zip(text(value)))
}

/// Puts the settings among the variables into the table, instead of those that it has. An empty
/// variable is none.
///
/// A value is written as in `config.toml`. Texts need no quotes.
///
/// Errors: a variable that names no setting. (Kubernetes makes some for a service with the name
/// `skillmirror`: they are passed over.)
pub fn overlay(
    settings: &mut Table,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<(), String> {
    for (variable, text) in variables {
        let Some(name) = variable.strip_prefix(PREFIX).filter(|name| !is_of_another(name)) else { continue };
        let (section, key) = setting(&name.to_ascii_lowercase()).ok_or_else(|| {
            let known: Vec<String> = all().collect();
            let near = nearest(variable.as_str(), known.iter().map(String::as_str));
            match near.as_slice() {
                [] => format!("{variable}: there is no such setting: correct the variable, or remove it (config.toml lists all settings)"),
                near => format!("{variable}: there is no such setting{}", did_you_mean(near)),
            }
        })?;
        if text.is_empty() {
            continue;
        }
        let value = value(&text);
        match section {
            None => {
                settings.insert(key.to_owned(), value);
            }
            Some(section) => {
                let entry = settings.entry(section).or_insert_with(|| Value::Table(Table::new()));
                entry.as_table_mut().map(|table| table.insert(key.to_owned(), value));
            }
        }
    }
    Ok(())
}

/// The variables of all settings.
fn all() -> impl Iterator<Item = String> {
    let of_sections =
        SECTIONS.iter().flat_map(|(section, keys)| keys.iter().map(move |key| format!("{section}.{key}")));
    SETTINGS.iter().map(|key| (*key).to_owned()).chain(of_sections).map(|setting| variable(&setting))
}

/// The name of a setting's variable.
pub fn variable(setting: &str) -> String {
    format!("{PREFIX}{}", setting.replace('.', "_").to_ascii_uppercase())
}

/// Whether a variable is somebody else's: the client's, or made by Kubernetes for a service.
fn is_of_another(name: &str) -> bool {
    let is_of_service = name.contains("SERVICE_") || name == "PORT" || name.starts_with("PORT_");
    OTHERS.contains(&name) || is_of_service || name.starts_with("BENCH_")
}

/// The section and the key of a setting.
fn setting(name: &str) -> Option<(Option<&'static str>, &'static str)> {
    let of_section = SECTIONS.iter().find_map(|(section, keys)| {
        let key = name.strip_prefix(section)?.strip_prefix('_')?;
        keys.iter().find(|known| **known == key).map(|key| (Some(*section), *key))
    });
    of_section.or_else(|| SETTINGS.iter().find(|known| **known == name).map(|key| (None, *key)))
}

/// A number, a list or a value in quotes as TOML has it; else a text.
fn value(text: &str) -> Value {
    let document: Result<Table, _> = format!("value = {text}").parse();
    let value = document.ok().filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
    match value {
        Some(Value::Datetime(_)) | None => Value::String(text.to_owned()),
        Some(value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlaid(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let mut table: Table = text.parse().unwrap();
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        overlay(&mut table, variables).map(|()| table.to_string())
    }

    #[test]
    fn variable_replaces_the_setting_of_the_file() {
        for (file, variable, value, expected) in [
            ("listen = 80", "SKILLMIRROR_LISTEN", "0.0.0.0:8080", "listen = \"0.0.0.0:8080\"\n"),
            ("", "SKILLMIRROR_LISTEN", "8080", "listen = 8080\n"),
            ("", "SKILLMIRROR_PUBLIC_URL", "https://a.example", "public_url = \"https://a.example\"\n"),
            ("[mirror]\ngit = false", "SKILLMIRROR_MIRROR_GIT", "true", "[mirror]\ngit = true\n"),
            ("", "SKILLMIRROR_LIMITS_ZIP", "50 MiB", "[limits]\nzip = \"50 MiB\"\n"),
            (
                "",
                "SKILLMIRROR_LIMITS_TRUSTED_PROXIES",
                "[\"::1\"]",
                "[limits]\ntrusted_proxies = [\"::1\"]\n",
            ),
            ("", "SKILLMIRROR_DATA", "\"1\"", "data = \"1\"\n"),
            ("", "SKILLMIRROR_DATA", "1\nlisten = 1", "data = \"\"\"\n1\nlisten = 1\"\"\"\n"),
            ("listen = 80", "SKILLMIRROR_LISTEN", "", "listen = 80\n"),
            ("", "SKILLMIRROR_SERVICE_HOST", "10.0.0.1", ""),
            ("", "SKILLMIRROR_PORT_8080_TCP", "tcp://10.0.0.1:8080", ""),
            ("", "SKILLMIRROR_CORPUS", "corpus", ""),
            ("", "SKILLMIRROR_BENCH_WORLDS", "worlds", ""),
            ("", "HOME", "/", ""),
        ] {
            assert_eq!(overlaid(file, &[(variable, value)]).as_deref(), Ok(expected), "{variable}={value}");
        }
    }

    #[test]
    fn variable_without_a_setting_is_refused() {
        for name in ["SKILLMIRROR_LISTN", "SKILLMIRROR_MIRROR", "SKILLMIRROR_MIRROR_GITT", "SKILLMIRROR_"] {
            let why = overlaid("", &[(name, "1")]).unwrap_err();
            assert!(why.starts_with(&format!("{name}: there is no such setting")), "{why}");
        }
    }
}
