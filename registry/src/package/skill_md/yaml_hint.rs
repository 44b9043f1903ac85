//! What to do about an error of the YAML parser.

/// Parts of the parser's messages, and the remedy. The first one that fits is used.
const REMEDIES: [(&[&str], &str); 14] = [
    (&["duplicate mapping key"], "remove one of the two"),
    (&["mapping values are not allowed"], "put a text with `: ` in it into quotes"),
    (
        &["bracket", "flow mapping", "flow sequence", "illegal placement of ':'", "expected string scalar"],
        "close every `[` and `{`, or put a text with brackets into quotes",
    ),
    (
        &["invalid indentation in multiline quoted scalar", "unexpected document indicator"],
        "close the quotes",
    ),
    (
        &["trailing content after single-quoted"],
        "write `''` for a `'` in single quotes, or use double quotes",
    ),
    (
        &["trailing content after double-quoted"],
        "write `\\\"` for a `\"` in double quotes, or put the whole text into single quotes",
    ),
    (
        &["escape", "hexadecimal", "surrogate"],
        "write `\\\\` for a backslash in double quotes, or use single quotes",
    ),
    (&["tab"], "indent with spaces instead of tabs"),
    (
        &["unknown value", "nchor", "alias"],
        "put a text that begins with `*` or `&` into quotes; anchors and aliases are not allowed",
    ),
    (&["block scalar"], "begin the text on the line below `|` or `>`"),
    (&["merge key"], "write the keys out"),
    (
        &["sequence entries are not allowed"],
        "put a text that begins with `- ` into quotes, or begin the list on the next line",
    ),
    (
        &["expected ':'", "did not find expected key", "no map of keys", "comment intercepting"],
        "write each line as `key: value`, and indent the lines of a longer text",
    ),
    (&["too large or too complex"], "shorten the front matter"),
];

/// Returns the remedy for an error with this message. None if the message has to be enough.
pub(super) fn remedy(message: &str) -> Option<&'static str> {
    if let Some((_, rest)) = message.split_once("unexpected character: `") {
        let odd = rest.chars().next().is_none_or(|c| c == '\\' || c.is_control());
        let (control, start) =
            ("remove the control character", "put a text that begins with this character into quotes");
        return Some(if odd { control } else { start });
    }
    REMEDIES
        .iter()
        .find(|(parts, _)| parts.iter().any(|part| message.contains(part)))
        .map(|(_, remedy)| *remedy)
}
