//! Writes sections `source.NAME` to the file of the settings, and removes them. The rest of the file stays as it is.

use std::io::Write;
use std::path::Path;

use super::Config;
use super::unusable_path::unusable;

/// The rest of a sentence about a file that cannot be changed.
const BY_HAND: &str = "change the settings by hand";

/// Adds a section of a source, with these lines.
///
/// Errors: there is one with this name, or a setting is invalid. The file is as before then.
pub fn add_source(file: &Path, name: &str, lines: &str) -> Result<(), String> {
    let before = read(file)?;
    let (end, gap) = if before.is_empty() || before.ends_with('\n') { ("", "\n") } else { ("\n", "\n") };
    let gap = if before.is_empty() { "" } else { gap };
    let after = format!("{before}{end}{gap}[source.{name}]\n{lines}");
    let is_there = Config::parse(&before).is_ok_and(|config| config.sources.contains_key(name));
    if is_there {
        return Err(format!("there is a source `{name}`: remove it first, or choose another name"));
    }
    Config::parse(&after)?;
    write(file, &after)
}

/// Removes the section of a source.
///
/// Errors: there is none, or it has not the form that [`add_source`] writes.
pub fn remove_source(file: &Path, name: &str) -> Result<(), String> {
    let before = read(file)?;
    let header = format!("[source.{name}]");
    let mut is_inside = false;
    let kept = before.split_inclusive('\n').filter(|line| {
        let line = line.trim();
        if line.starts_with('[') {
            is_inside = line == header;
        }
        !is_inside
    });
    let after = kept.collect::<String>();
    let table =
        |text: &str| text.parse::<toml::Table>().map_err(|_| format!("{}: this is not TOML", file.display()));
    let (mut expected, found) = (table(&before)?, table(&after)?);
    let sources = expected.get_mut("source").and_then(toml::Value::as_table_mut);
    if sources.and_then(|sources| sources.remove(name)).is_none() {
        return Err(format!(
            "{}: there is no source `{name}`: `skillmirror source list` shows all",
            file.display()
        ));
    }
    let without_empty = |mut table: toml::Table| {
        if table.get("source").and_then(toml::Value::as_table).is_some_and(toml::Table::is_empty) {
            table.remove("source");
        }
        table
    };
    if without_empty(expected) != without_empty(found) {
        return Err(format!("{}: the source `{name}` has no section of its own: {BY_HAND}", file.display()));
    }
    write(file, &after)
}

fn read(file: &Path) -> Result<String, String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(why) => Err(unusable(file, "read", &why, "--config names another file")),
    }
}

/// Replaces the file at once, with its permissions.
fn write(file: &Path, text: &str) -> Result<(), String> {
    // A link stays one.
    let file = &std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let replaced = tempfile::NamedTempFile::new_in(folder).and_then(|mut new| {
        new.write_all(text.as_bytes())?;
        if let Ok(before) = file.metadata() {
            new.as_file().set_permissions(before.permissions())?;
        }
        new.as_file().sync_all()?;
        new.persist(file).map_err(|why| why.error)
    });
    replaced.map(drop).map_err(|why| unusable(file, "write", &why, BY_HAND))
}
