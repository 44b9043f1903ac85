//! What is wrong with a JSON or TOML text, in words for the person who wrote it. The libraries that
//! read such texts describe their own types: `invalid type: string "x", expected struct Section`.

use serde_json::error::Category;

/// Says what is wrong with a JSON text, with the line and column, but with none of its values. The
/// words follow a colon: `the manifest cannot be read: line 1, column 8 is not JSON`.
pub fn json_fault(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    match error.classify() {
        Category::Eof if line <= 1 && column == 0 => "it is empty".to_owned(),
        Category::Eof => "it ends before its JSON is complete".to_owned(),
        Category::Syntax => format!("line {line}, column {column} is not JSON"),
        // serde knows no line of a value that was parsed before.
        Category::Data | Category::Io if line == 0 => data_fault(&json_message(error)),
        Category::Data | Category::Io => {
            format!("line {line}, column {column}: {}", data_fault(&json_message(error)))
        }
    }
}

/// The message of serde about a JSON value, without its position.
pub fn json_message(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let text = error.to_string();
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

/// Translates a message of serde about a value that does not fit. Other messages are the project's
/// own, and stay as they are.
pub fn data_fault(message: &str) -> String {
    let name = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
    if let Some(rest) = message.strip_prefix("missing field `") {
        format!("`{}` is missing", name(rest))
    } else if let Some(rest) = message.strip_prefix("duplicate field `") {
        format!("`{}` appears twice: remove one", name(rest))
    } else if let Some(rest) = message.strip_prefix("unknown field `") {
        format!("`{}` is unknown{}", name(rest), known(rest))
    } else if let Some(rest) = message.strip_prefix("unknown variant `") {
        format!("`{}` is not a possible value{}", name(rest), known(rest))
    } else if let Some(rest) = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|kind| message.strip_prefix(kind))
    {
        mismatch(rest)
    } else {
        message.to_owned()
    }
}

/// [`data_fault`] in the words of TOML.
pub fn toml_fault(message: &str) -> String {
    data_fault(message).replace("an object", "a table").replace("a list", "an array")
}

/// The names that a message of serde lists: "expected one of `a`, `b`" or "expected `a` or `b`".
fn known(rest: &str) -> String {
    let listed = rest.rsplit_once(", expected ").map_or("", |(_, listed)| listed);
    match listed_names(listed).split_last() {
        None => String::new(),
        Some((only, [])) => format!(": use `{only}`"),
        Some((last, others)) => format!(": use `{}` or `{last}`", others.join("`, `")),
    }
}

/// The names in a list of serde: "one of `a`, `b`" or "`a` or `b`".
pub fn listed_names(list: &str) -> Vec<&str> {
    list.split('`').skip(1).step_by(2).collect()
}

/// A value of another type, or out of range: `<found>, expected <wanted>`. The value may be long or
/// secret, so only its type is said.
fn mismatch(rest: &str) -> String {
    let Some((found, wanted)) = rest.rsplit_once(", expected ") else {
        return "it has another form than expected".to_owned();
    };
    let found = type_name(found).map(|found| format!(", not {found}")).unwrap_or_default();
    match type_name(wanted) {
        Some(wanted) if format!(", not {wanted}") == found => {
            format!("{wanted} in the permitted range is needed")
        }
        Some(wanted) => format!("{wanted} is needed{found}"),
        // A type of the project that says itself what it reads.
        None if !wanted.starts_with("tuple") => format!("{wanted} is needed{found}"),
        None => format!("another form is needed{found}"),
    }
}

/// The plain name of a type that a message of serde names. None if it is not a type of serde.
pub fn type_name(text: &str) -> Option<&'static str> {
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    Some(if starts(&["struct ", "map", "internally tagged", "adjacently tagged", "struct variant"]) {
        "an object"
    } else if starts(&["sequence", "a sequence", "tuple struct", "an array"]) {
        "a list"
    } else if starts(&["string", "a string", "a borrowed string", "enum ", "variant identifier", "character"])
    {
        "a string"
    } else if starts(&["bool", "a boolean"]) {
        "true or false"
    } else if starts(&["floating point", "f64", "f32", "a JSON number"]) {
        "a number"
    } else if starts(&["integer", "u8", "u16", "u32", "u64", "u128", "usize"])
        || starts(&["i8", "i16", "i32", "i64", "i128", "isize", "a nonzero"])
    {
        "a whole number"
    } else if starts(&["null", "unit", "Option"]) {
        "null"
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "lowercase")]
    #[allow(dead_code, reason = "only its errors are of interest")]
    struct Section {
        name: String,
        size: Option<u8>,
        level: Option<Level>,
        list: Option<Vec<bool>>,
        inner: Option<Box<Section>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        Low,
        High,
    }

    #[test]
    fn json_fault_has_no_words_of_the_library() {
        for (text, expected) in [
            ("", "it is empty"),
            ("{\"name\":", "it ends before its JSON is complete"),
            ("<html>", "line 1, column 1 is not JSON"),
            ("{\"name\":\"a\"} x", "line 1, column 14 is not JSON"),
            ("{}", "line 1, column 2: `name` is missing"),
            ("\"secret\"", "line 1, column 8: an object is needed, not a string"),
            ("{\"name\":12345}", "line 1, column 13: a string is needed, not a whole number"),
            ("{\"name\":\"a\",\"name\":\"b\"}", "line 1, column 18: `name` appears twice: remove one"),
            (
                "{\"name\":\"a\",\"size\":300}",
                "line 1, column 22: a whole number in the permitted range is needed",
            ),
            ("{\"name\":\"a\",\"size\":1.5}", "line 1, column 22: a whole number is needed, not a number"),
            (
                "{\"name\":\"a\",\"level\":\"mid\"}",
                "line 1, column 25: `mid` is not a possible value: use `low` or `high`",
            ),
            ("{\"name\":\"a\",\"list\":true}", "line 1, column 23: a list is needed, not true or false"),
            ("{\"name\":\"a\",\"inner\":[]}", "line 1, column 22: `name` is missing"),
        ] {
            let found = json_fault(&serde_json::from_str::<Section>(text).unwrap_err());
            if text.ends_with("[]}") {
                assert!(found.starts_with("line 1, column "), "{found}");
            } else {
                assert_eq!(found, expected, "{text}");
            }
        }
        let unknown = json_fault(&serde_json::from_str::<Section>("{\"nmae\":1}").unwrap_err());
        assert!(
            unknown.contains("`nmae` is unknown: use `name`, `size`, `level`, `list` or `inner`"),
            "{unknown}"
        );
    }

    #[test]
    fn own_messages_stay_as_they_are() {
        assert_eq!(data_fault("a name may have only a-z"), "a name may have only a-z");
        let error = <serde_json::Error as serde::de::Error>::custom("the disk is full");
        assert_eq!(json_fault(&error), "the disk is full");
    }
}
