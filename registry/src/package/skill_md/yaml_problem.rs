//! Says what is wrong with invalid YAML, and what to do. The parser's own words are only compared with known ones:
//! they speak of scalars, flows and anchors, and never reach anybody.

use super::front_matter::key_of;
use super::yaml::YamlError;
use super::yaml_entries::{Entry, entries};

/// What is wrong, where, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in the line, from 1.
    pub column: u64,
    pub what: String,
    pub remedy: String,
}

/// Explains why `yaml` could not be read. `first_line` is the line in the file where it starts.
pub(super) fn explain(yaml: &str, first_line: u64, error: &YamlError) -> Problem {
    let line = error.line.unwrap_or(first_line);
    let at = usize::try_from(line.saturating_sub(first_line)).unwrap_or(usize::MAX);
    let entries = entries(yaml);
    let known = of_message(&error.message);
    // The parser counts anchors and aliases, and then says that there are too many.
    let is_counted = entries.iter().any(|entry| entry.line == at && entry.value.starts_with(['*', '&']));
    if let Some((what, remedy)) = known.filter(|_| !is_counted && !is_about_syntax(&error.message)) {
        return problem(line, error.column, of_key(&entries, at, what), remedy);
    }
    if let Some((entry, (what, remedy))) = entries
        .iter()
        .take_while(|entry| entry.line <= at)
        .find_map(|entry| Some((entry, of_value(entry, at)?)))
    {
        return problem(first_line + entry.line as u64, entry.column, what, remedy);
    }
    let of_message = || {
        let (what, remedy) = known.unwrap_or(UNKNOWN);
        (at, (what.to_owned(), remedy.to_owned()))
    };
    let indented = || of_indentation(&entries, at).filter(|_| is_about_indentation(&error.message));
    let (number, (what, remedy)) = of_line(yaml, &entries, at).or_else(indented).unwrap_or_else(of_message);
    let column = if number == at { error.column } else { 1 };
    problem(first_line.saturating_add(number as u64), column, what, remedy)
}

fn problem(line: u64, column: u64, what: impl Into<String>, remedy: impl Into<String>) -> Problem {
    Problem { line, column: column.max(1), what: what.into(), remedy: remedy.into() }
}

/// Adds the key on a line to a problem, in place of `a key`.
fn of_key(entries: &[Entry<'_>], at: usize, what: &str) -> String {
    let key = entries.iter().find(|entry| entry.line == at).map(|entry| format!("the key `{}`", entry.key));
    key.map_or_else(|| what.to_owned(), |key| what.replacen("a key", &key, 1))
}

type Explained = (String, String);

/// The problem of a value by itself, as far as its beginning and its end show it. `at` is the line of the error.
fn of_value(entry: &Entry<'_>, at: usize) -> Option<Explained> {
    let Entry { key, value, .. } = entry;
    let explained =
        |what: String, remedy: &str| Some((format!("the value of `{key}` {what}"), remedy.to_owned()));
    let whole = format!("put the whole value of `{key}` into quotes");
    let first = value.chars().next()?;
    match first {
        '"' | '\'' => match entry.rest() {
            None => explained("has quotes that are not closed".into(), "close the quotes"),
            Some(rest) if is_end(rest) => None,
            Some(_) if first == '\'' => explained(
                "goes on after its closing quote".into(),
                "write `''` for a `'` in single quotes, or use double quotes",
            ),
            Some(_) => explained(
                "goes on after its closing quote".into(),
                "write `\\\"` for a `\"` in double quotes, or put the whole text into single quotes",
            ),
        },
        '[' | '{' => match entry.rest() {
            None => explained(
                format!("begins with `{first}`, as a list or map does, and does not end like one"),
                &format!("close every `[` and `{{`, or {whole}"),
            ),
            Some(rest) if is_end(rest) => None,
            Some(_) => explained(
                format!("begins with `{first}`, as a list or map does, and goes on after its end"),
                &whole,
            ),
        },
        '*' | '&' => explained(
            format!("begins with `{first}`, which stands for an alias or anchor in YAML"),
            "put a text that begins with `*` or `&` into quotes; anchors and aliases are not allowed",
        ),
        // The parser accepts some of these.
        '!' | '%' | '@' | '`' | ',' | ']' | '}' if entry.line == at => explained(
            format!("begins with `{first}`, which has another meaning in YAML"),
            "put a text that begins with this character into quotes",
        ),
        '|' | '>' if !entry.is_block() => explained(
            format!("has text after `{first}`, which begins a text of several lines"),
            "begin the text on the line below `|` or `>`, or put it into quotes",
        ),
        '-' | '?' if value.get(1..).is_some_and(|rest| rest.starts_with(' ')) => explained(
            format!("begins with `{first} `, as the item of a list does"),
            &format!(
                "put a text that begins with `{first} ` into quotes, or begin the list on the next line"
            ),
        ),
        _ if has_colon(value) => explained(
            "has a `: `, which begins another value".into(),
            "put a text with `: ` in it into quotes",
        ),
        _ => None,
    }
}

/// The problem of the line of an error, or of a line above it.
fn of_line(yaml: &str, entries: &[Entry<'_>], at: usize) -> Option<(usize, Explained)> {
    let lines: Vec<&str> = yaml.lines().collect();
    let explained = |what: String, remedy: &str| (what, remedy.to_owned());
    let above = lines.get(..=at.min(lines.len().checked_sub(1)?))?;
    let is_tab = |line: &&str| line.trim_start_matches(' ').starts_with('\t');
    if let Some(number) = above.iter().rposition(is_tab).filter(|number| number + 1 >= above.len()) {
        return Some((
            number,
            explained("the line is indented with a tab".into(), "indent with spaces instead of tabs"),
        ));
    }
    // `key:value`, which YAML reads as a text.
    let unspaced = above.iter().enumerate().find_map(|(number, line)| Some((number, unspaced_key(line)?)));
    if let Some((number, (key, _))) = unspaced {
        return Some((
            number,
            explained(format!("there is no space after `{key}:`"), "write each line as `key: value`"),
        ));
    }
    let here = entries.iter().position(|entry| entry.line == at)?;
    let (entry, before) = (entries.get(here)?, here.checked_sub(1).and_then(|before| entries.get(before))?);
    if entry.indent > before.indent && !before.value.is_empty() {
        let remedy = format!(
            "begin it in the column of `{0}` if it is a key of its own, or put the whole value of `{0}` into quotes",
            before.key
        );
        let what = format!(
            "the line `{}:` is indented as if it were part of the value of `{}`",
            entry.key, before.key
        );
        return Some((at, (what, remedy)));
    }
    None
}

/// The problem of a key that is in the column of no key above.
fn of_indentation(entries: &[Entry<'_>], at: usize) -> Option<(usize, Explained)> {
    let entry = entries.iter().find(|entry| entry.line == at)?;
    let what = format!("the indentation of `{}` fits no key above", entry.key);
    Some((at, (what, "begin all keys of one map in the same column".to_owned())))
}

/// Whether the parser's message is about a line that fits nothing above.
fn is_about_indentation(message: &str) -> bool {
    ["indentation", "did not find expected key", "block end"].iter().any(|part| message.contains(part))
}

/// Key and value of a line without a space after its colon.
fn unspaced_key(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = key_of(&format!("{key}:")).is_some();
    (is_key && value.starts_with(|c: char| !c.is_whitespace()) && !value.starts_with("//"))
        .then_some((key, value))
}

/// Whether only a comment follows on the line.
fn is_end(rest: &str) -> bool {
    let rest = rest.lines().next().unwrap_or_default();
    let text = rest.trim_start();
    text.is_empty() || (text.starts_with('#') && text.len() < rest.len())
}

/// Whether a plain text has a colon that YAML reads as the end of a key.
fn has_colon(value: &str) -> bool {
    let value = value.split_once(" #").map_or(value, |(value, _)| value).trim_end();
    value.contains(": ") || value.contains(":\t") || value.ends_with(':')
}

/// The problem and remedy for an unknown error.
const UNKNOWN: (&str, &str) = (
    "this is not valid YAML",
    "write each line as `key: value`, and put the value into quotes if it has other signs than letters, digits and commas",
);

/// Whether the parser's message is about the form of a text, so that the text itself says more.
fn is_about_syntax(message: &str) -> bool {
    ![
        "duplicate mapping key",
        "too large or too complex",
        "is reserved",
        "merge key",
        "no map of keys",
        "recursion",
    ]
    .iter()
    .any(|part| message.contains(part))
        && !has_odd_character(message)
}

/// Whether the message is about a control character.
fn has_odd_character(message: &str) -> bool {
    let odd = |rest: &str| rest.chars().next().is_none_or(|c| c == '\\' || c.is_control());
    message.split_once("unexpected character: `").is_some_and(|(_, rest)| odd(rest))
}

/// Parts of the parser's messages, with what is wrong and what to do. The first one that fits is used.
const MESSAGES: [(&[&str], &str, &str); 17] = [
    (&["duplicate mapping key"], "a key appears twice", "remove one of the two"),
    (&["is reserved"], "a key has a name that is reserved", "rename it"),
    (&["no map of keys"], "there are no keys", "write each line as `key: value`"),
    (&["merge key"], "`<<` copies keys, which is not allowed", "write the keys out"),
    (&["too large or too complex", "recursion"], "it is too large or too deep", "shorten the front matter"),
    (
        &["mapping values are not allowed"],
        "the text has a `: `, which begins another value",
        "put a text with `: ` in it into quotes",
    ),
    (
        &["bracket", "flow", "illegal placement of ':'", "expected string scalar"],
        "a list or map in brackets is not well formed",
        "close every `[` and `{`, or put a text with brackets into quotes",
    ),
    (
        &["invalid indentation in multiline quoted", "unexpected document indicator", "unexpected end"],
        "the quotes are not closed",
        "close the quotes",
    ),
    (
        &["escape", "hexadecimal", "surrogate"],
        "a backslash in double quotes begins no known escape",
        "write `\\\\` for a backslash in double quotes, or use single quotes",
    ),
    (
        &["trailing content after"],
        "the value goes on after its closing quote",
        "put the whole text into the quotes, and write `''` for a `'` in single quotes or `\\\"` for a `\"` in double quotes",
    ),
    (&["tab"], "the line is indented with a tab", "indent with spaces instead of tabs"),
    (
        &["unknown value", "nchor", "alias"],
        "the value begins with `*` or `&`, which stand for aliases and anchors in YAML",
        "put a text that begins with `*` or `&` into quotes; anchors and aliases are not allowed",
    ),
    (&["block scalar"], "text follows `|` or `>`", "begin the text on the line below `|` or `>`"),
    (
        &["sequence entries are not allowed"],
        "the value begins with `- `, as the item of a list does",
        "put a text that begins with `- ` into quotes, or begin the list on the next line",
    ),
    (
        &["expected ':'", "did not find expected key", "comment intercepting", "simple key"],
        "the line has no key",
        "write each line as `key: value`, and indent the lines of a longer text",
    ),
    (
        &["invalid indentation"],
        "the indentation fits no key above",
        "begin all keys of one map in the same column",
    ),
    (
        &["unexpected character", "cannot start any token"],
        "the value begins with a character that has another meaning in YAML",
        "put a text that begins with this character into quotes",
    ),
];

fn of_message(message: &str) -> Option<(&'static str, &'static str)> {
    if has_odd_character(message) {
        return Some(("there is a control character", "remove the control character"));
    }
    let fits = |parts: &[&str]| parts.iter().any(|part| message.contains(part));
    MESSAGES.iter().find(|(parts, ..)| fits(parts)).map(|(_, what, remedy)| (*what, *remedy))
}
