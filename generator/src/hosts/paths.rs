//! Paths of documents as hosts have them, made from the table of documents.

/// Values in paths, and the expression for each. They work in PCRE, RE2 and JavaScript.
const VALUES: [(&str, &str); 10] = [
    ("bundle", "[a-z0-9-]+"),
    ("namespace", "[a-z0-9-]+"),
    ("slug", "[a-z0-9-]+"),
    ("skill", "[a-z0-9-]+"),
    ("version", r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?"),
    ("tag", "[a-z0-9][a-z0-9._-]*"),
    ("piece", "[0-9a-f]{16}"),
    ("*tile", "(?:[0-7]|entries)/(?:x[0-9]{3}/)*[0-9]{3}"),
    ("*partial", r"(?:[0-7]|entries)/(?:x[0-9]{3}/)*[0-9]{3}\.p/[0-9]+"),
    // Trees also have the assets of earlier releases for a while.
    ("*asset", "[0-9a-f]{16}(?:/[0-9A-Za-z_-][0-9A-Za-z._-]*)+"),
];

/// The expression for the path of a kind of document, from the first slash on. A value that has no
/// expression stays as it is, and a test finds it.
pub(super) fn expression(pattern: &str) -> String {
    let path = replace(&pattern.replace('.', r"\.").replace('+', r"\+"), |name| {
        VALUES.iter().find(|(value, _)| *value == name).map_or("{}", |(_, expression)| expression).to_owned()
    });
    format!("/{path}")
}

/// The path of a kind of document with `:name` for each value.
pub(super) fn placeholders(pattern: &str) -> String {
    let path = replace(pattern, |name| match name {
        "skill" => ":slug".to_owned(),
        _ => format!(":{name}"),
    });
    format!("/{path}")
}

/// The expression for the path of a kind of document, with a group for each value.
pub(super) fn groups(pattern: &str) -> String {
    expression(&pattern.replace('{', "({").replace('}', "})"))
}

/// The path of a kind of document with `$1`, `$2` and so on for the values.
pub(super) fn numbered(pattern: &str) -> String {
    let mut number = 0;
    let path = replace(pattern, |_| {
        number += 1;
        format!("${number}")
    });
    format!("/{path}")
}

/// Replaces each `{name}`.
fn replace(pattern: &str, mut by: impl FnMut(&str) -> String) -> String {
    let mut texts = pattern.split('{');
    let before = texts.next().unwrap_or_default().to_owned();
    texts.fold(before, |path, text| match text.split_once('}') {
        Some((name, after)) => path + &by(name) + after,
        None => path + text,
    })
}
