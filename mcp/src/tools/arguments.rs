//! The arguments of a call, checked against the schema that clients were sent.

use rmcp::model::{JsonObject, Tool};
use serde_json::Value;

use crate::failure::Failure;

/// The arguments of a call, as the schema of its tool wants them.
pub(super) struct Arguments(JsonObject);

impl Arguments {
    /// Checks arguments. An argument that may be left out is absent if it is `null` or an empty text, and
    /// `3.0` is a whole number.
    pub fn check(tool: &Tool, sent: JsonObject) -> Result<Self, Failure> {
        let properties = tool.input_schema.get("properties").and_then(Value::as_object);
        let properties = || properties.into_iter().flatten();
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
        let mut checked = JsonObject::new();
        for (name, value) in sent {
            let Some((_, schema)) = properties().find(|(known, _)| **known == name) else {
                let known: Vec<_> = properties().map(|(known, _)| format!("`{known}`")).collect();
                let known = known.join(", ");
                return Err(Failure::Invalid(format!(
                    "there is no argument `{name}`: this tool takes {known}"
                )));
            };
            let is_absent = value.is_null() || (value == "" && !is_required(&name));
            if !is_absent {
                let value =
                    fitting(schema, value).map_err(|why| Failure::Invalid(format!("`{name}` {why}")))?;
                checked.insert(name, value);
            }
        }
        let mut names = properties().map(|(name, _)| name);
        match names.find(|name| is_required(name) && !checked.contains_key(*name)) {
            Some(name) => Err(Failure::Invalid(format!("`{name}` is missing: this tool needs it"))),
            None => Ok(Self(checked)),
        }
    }

    /// A text. `None` if it is absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A whole number. `None` if it is absent.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_i64)
    }
}

/// A value as its schema wants it. The error continues the name of the argument.
fn fitting(schema: &Value, value: Value) -> Result<Value, String> {
    if schema["type"] == "integer" {
        let (min, max) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
        let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
        let number = whole(&value).filter(|number| (min..=max).contains(number));
        return number.map(Value::from).ok_or_else(|| format!("must be a whole number from {min} to {max}"));
    }
    let text = value.as_str().ok_or("must be a text")?;
    match schema["maxLength"].as_u64() {
        Some(most) if text.chars().count() as u64 > most => {
            Err(format!("has more than {most} characters: shorten it"))
        }
        _ => Ok(value),
    }
}

/// A whole number, however it is written: many clients have one type for all numbers.
#[allow(clippy::cast_possible_truncation, reason = "the number is whole, and others are cut to the range")]
fn whole(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i64))
}
