//! The YAML of front matter: JSON-like values within limits, without anchors.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::with_deserializer_from_str_with_options as deserialize;
use serde_saphyr::{MessageFormatter, Options, Spanned, UserMessageFormatter};

use super::front_matter::FrontMatter;
use crate::package::limits::Limits;

/// A text is not valid front matter.
#[derive(Debug)]
pub(super) struct YamlError {
    /// The line in the file, from 1. None if the error has no position.
    pub line: Option<u64>,
    /// The column in the line, from 1.
    pub column: u64,
    /// The problem in the words of the parser, which [`explain`](super::yaml_problem::explain) translates.
    pub message: String,
}

/// Reads `yaml` as a map. `first_line` is the line in the file where it starts. An empty
/// text is an empty map.
pub(super) fn read(yaml: &str, first_line: u64, limits: &Limits) -> Result<FrontMatter, YamlError> {
    let failed = |why: serde_saphyr::Error| {
        let place = why.location();
        YamlError {
            line: place.map(|place| place.line() + first_line - 1),
            column: place.map_or(0, |place| place.column()),
            message: UserMessageFormatter.format_message(why.without_snippet()).trim().to_owned(),
        }
    };
    let value = deserialize(yaml, options(limits), |from| Json.deserialize(from)).map_err(failed)?;
    let mut front_matter = FrontMatter::default();
    match value {
        Value::Null => return Ok(front_matter),
        Value::Object(map) => front_matter.map = map,
        _ => {
            let message = "it is no map of keys and values".to_owned();
            return Err(YamlError { line: Some(first_line), column: 1, message });
        }
    }
    // A second pass collects what JSON loses: the text of scalars and the lines of keys.
    let map = std::mem::take(&mut front_matter.map);
    let seed = FieldTexts { map: &map, prefix: "", first_line, into: &mut front_matter };
    let again = deserialize(yaml, options(limits), |from| seed.deserialize(from)).map_err(failed);
    front_matter.map = map;
    again.map(|()| front_matter)
}

fn options(limits: &Limits) -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_aliases: 0,
            max_anchors: 0,
            max_depth: limits.depth,
            flow_nesting_limit: limits.depth,
            max_nodes: limits.nodes,
            max_documents: 1,
        },
        merge_keys: serde_saphyr::options::MergeKeyPolicy::Error,
        strict_booleans: true,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    }
}

/// serde_json reads the text under this key as JSON. A stored front matter with the key could
/// not be read again.
pub(super) const RAW_JSON: &str = "$serde_json::private::RawValue";

/// A YAML value as JSON. Keys become texts, and so do numbers that JSON does not have.
#[derive(Clone, Copy)]
struct Json;

impl<'de> DeserializeSeed<'de> for Json {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Json {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or_else(|| Value::String(value.to_string()), Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element_seed(Json)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            if key == RAW_JSON {
                return Err(A::Error::custom(format!("the key `{key}` is reserved: rename it")));
            }
            map.insert(key, from.next_value_seed(Json)?);
        }
        Ok(Value::Object(map))
    }
}

/// Reads the map `map` a second time, for its texts and lines.
struct FieldTexts<'a> {
    map: &'a Map<String, Value>,
    prefix: &'a str,
    first_line: u64,
    into: &'a mut FrontMatter,
}

impl<'de> DeserializeSeed<'de> for FieldTexts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FieldTexts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        while let Some(key) = from.next_key::<Spanned<String>>()? {
            let name = format!("{}{}", self.prefix, key.value);
            self.into.lines.insert(name.clone(), key.referenced.line() + self.first_line - 1);
            match self.map.get(&key.value) {
                Some(Value::Object(map)) if name == "metadata" => {
                    let first_line = self.first_line;
                    from.next_value_seed(FieldTexts {
                        map,
                        prefix: "metadata.",
                        first_line,
                        into: &mut *self.into,
                    })?;
                }
                Some(Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                    self.into.texts.insert(name, from.next_value()?);
                }
                _ => {
                    from.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ok(yaml: &str) -> FrontMatter {
        read(yaml, 2, &Limits::default()).unwrap()
    }

    fn err(yaml: &str) -> YamlError {
        read(yaml, 2, &Limits::default()).unwrap_err()
    }

    #[test]
    fn yaml_values_become_json() {
        let got = ok("a: yes\nb: true\nc: [1, 2.5, ~]\nd: {e: 'x'}\n1: 007\nn: 1_000\nd2: 2024-01-01\n");
        let want = json!({"a": "yes", "b": true, "c": [1, 2.5, null], "d": {"e": "x"}, "1": "007",
            "n": "1_000", "d2": "2024-01-01"});
        assert_eq!(Value::Object(got.map), want);
        assert!(ok("").map.is_empty() && ok("# only a comment\n").map.is_empty());
        let big = ok("a: 123456789012345678901234567890\nb: .nan\nc: .inf\n");
        assert!(big.map["a"].is_string() || big.map["a"].is_number(), "{:?}", big.map["a"]);
        assert!(big.map["b"].is_string() && big.map["c"].is_string());
    }

    #[test]
    fn scalars_keep_their_text_and_line() {
        let got = ok("name: 1.10\n\nversion: 1.20\nmetadata:\n  version: 0x10\n  deep: {a: 1}\nx: |\n  y\n");
        assert_eq!(got.texts["name"], "1.10");
        assert_eq!(got.texts["version"], "1.20");
        assert_eq!(got.texts["metadata.version"], "0x10");
        assert_eq!(got.texts["x"], "y\n");
        assert_eq!((got.line("version"), got.line("metadata.version"), got.line("none")), (4, 6, 1));
    }

    #[test]
    fn error_has_line_and_column() {
        let why = err("name: x\ndescription: a: b\n");
        assert_eq!((why.line, why.column > 0), (Some(3), true), "{why:?}");
        for (yaml, what) in [
            ("a: 1\na: 2\n", "duplicate"),
            ("a: &x 1\nb: 2\n", "anchor"),
            ("a: *x\n", "unknown value"),
            ("- a\n", "no map"),
            ("text\n", "no map"),
            ("a: [1\n", ""),
            ("a: 1\n--- \nb: 1\n", ""),
            ("<<: {a: 1}\n", "merge"),
            ("a:\n  b: 1\n  $serde_json::private::RawValue: ']'\n", "reserved"),
        ] {
            let why = err(yaml);
            assert!(why.message.to_lowercase().contains(what), "{yaml:?} {why:?}");
        }
    }

    #[test]
    fn yaml_over_a_limit_is_refused() {
        let nested = |n: usize| format!("a: {}{}", "[".repeat(n), "]".repeat(n));
        assert!(read(&nested(15), 2, &Limits::default()).is_ok());
        err(&nested(17));
        err(&nested(10_000));
        err(&format!("a: [{}]", "1,".repeat(11_000)));
        let deep: String = (0..20).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        err(&deep);
    }
}
