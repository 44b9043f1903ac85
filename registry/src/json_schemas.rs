//! JSON Schemas of the newtypes in records. A test compares the patterns with the parsers.
//!
//! Patterns cannot express all rules: device names, reserved words and file suffixes are
//! in the descriptions only.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::names::{
    Coordinate, Digest, Handle, Namespace, PublicUrl, Requirement, Slug, TagName, TolerantVersion, Version,
    VersionRange,
};
use crate::private::{Scope, Scopes, Score, TokenPrefix};
use crate::public::{AdvisoryId, Hundredths, Id};
use crate::time::Timestamp;

/// Gives the type `$name` the schema `$schema` with the title `$title`.
macro_rules! schema {
    ($name:ident, $title:literal, $schema:tt) => {
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                $title.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

/// The common pattern of namespaces, slugs and handles.
const LABEL: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

schema!(Namespace, "NamespaceName", {
    "type": "string", "minLength": 1, "maxLength": 64, "pattern": LABEL,
    "description": "The name of a namespace: `global`, or a team's. Reserved words and device names of Windows are invalid."
});
schema!(Slug, "Slug", {
    "type": "string", "minLength": 1, "maxLength": 64, "pattern": LABEL,
    "description": "The name of a skill in its namespace. Device names of Windows are invalid."
});
schema!(Handle, "Handle", {
    "type": "string", "minLength": 1, "maxLength": 64, "pattern": LABEL,
    "description": "The name of a user, which never changes."
});
schema!(Coordinate, "CanonicalSlug", {
    "type": "string", "minLength": 1, "maxLength": 130,
    "pattern": "^[a-z0-9]+(-[a-z0-9]+)*(--[a-z0-9]+(-[a-z0-9]+)*)?$",
    "description": "The full name of a skill: `namespace--slug`, or `slug` in `global`."
});
schema!(TagName, "TagName", {
    "type": "string", "minLength": 1, "maxLength": 64,
    "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9_-])?$",
    "description": "A movable name for a version. Names that can be read as a version or end in a file suffix are invalid."
});
schema!(Version, "VersionNumber", {
    "type": "string", "minLength": 5, "maxLength": 64,
    "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\
                (-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$",
    "description": "A semantic version without build metadata. A file suffix at the end is invalid."
});
schema!(TolerantVersion, "WrittenVersion", {
    "type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[vV]?[0-9]+(\\.[0-9]+){0,2}(-[0-9A-Za-z.-]+)?$",
    "description": "A version, possibly shortened: `v1.2` is read as `1.2.0`."
});
schema!(Requirement, "Requirement", {
    "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[0-9A-Za-z=^~<>*][ -~]*$",
    "description": "Which versions of a skill will do: a range such as `^1`, a full version after `=`, a tag, or `latest`."
});
schema!(Digest, "Sha256", {
    "type": "string", "minLength": 64, "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
    "description": "A sha256 in lower-case hexadecimal digits."
});
schema!(PublicUrl, "PublicUrl", {
    "type": "string", "minLength": 8,
    "pattern": "^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?(/[A-Za-z0-9._~-]+)*$",
    "description": "The URL of a registry, without characters that have a meaning in a shell."
});
schema!(Id, "Id", {
    "type": "string", "minLength": 1, "maxLength": 20, "pattern": "^[1-9][0-9]*$",
    "description": "An id: the decimal revision of the journal row that created the object."
});
schema!(AdvisoryId, "AdvisoryId", {
    "type": "string", "minLength": 5, "maxLength": 24, "pattern": "^SKM-[1-9][0-9]*$",
    "description": "The id of an advisory: `SKM-` and the revision of the row that published it."
});
schema!(VersionRange, "VersionRange", {
    "type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[0-9A-Za-z=^~<>*., +-]+$",
    "description": "A version, or a range such as `<1.2.3` or `>=1, <1.4`. It has all pre-releases between its bounds."
});
schema!(Timestamp, "Time", {
    "type": "string", "format": "date-time", "minLength": 20, "maxLength": 20,
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
    "description": "A time in UTC with seconds."
});
schema!(TokenPrefix, "TokenPrefix", {
    "type": "string", "pattern": "^smt_[a-z2-7]{6}$",
    "description": "The first characters of a token."
});
schema!(Hundredths, "Mean", {
    "type": "number", "minimum": 0, "maximum": 5,
    "description": "A mean with at most two decimals."
});
schema!(Score, "Score", {
    "type": "integer", "minimum": 1, "maximum": 5,
    "description": "A rating."
});

impl JsonSchema for Scopes {
    fn schema_name() -> Cow<'static, str> {
        "Scopes".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let scope = generator.subschema_for::<Scope>();
        json_schema!({ "type": "array", "items": scope, "uniqueItems": true, "minItems": 1 })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;
    use std::str::FromStr;

    use proptest::prelude::*;

    use super::*;

    /// Whether `text` fits the pattern and the lengths of the schema.
    fn fits<T: JsonSchema>(text: &str) -> bool {
        let schema = T::json_schema(&mut SchemaGenerator::default());
        let length = |key| schema.get(key).and_then(|value| value.as_u64());
        let pattern = schema.get("pattern").and_then(|value| value.as_str()).unwrap();
        let characters = text.chars().count() as u64;
        length("minLength").is_none_or(|least| least <= characters)
            && length("maxLength").is_none_or(|most| characters <= most)
            && regex::Regex::new(pattern).unwrap().is_match(text)
    }

    /// Whether the text of the value that `text` parses to fits its schema. A text that does
    /// not parse is rejected: proptest fails when it rejects too many.
    fn assert_fits<T: FromStr + Display + JsonSchema>(text: &str) -> Result<(), TestCaseError> {
        let Ok(value) = text.parse::<T>() else { return Err(TestCaseError::reject("it does not parse")) };
        prop_assert!(fits::<T>(&value.to_string()), "{}", text);
        Ok(())
    }

    const NAME: &str = "[a-z0-9]{1,3}([A-Za-z0-9._-]{0,5}[A-Za-z0-9]){0,2}";
    const VERSION: &str =
        "(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]?)\\.(0|[1-9])(-[0-9A-Za-z-]{1,6}(\\.[0-9A-Za-z]{1,4})?)?";

    proptest! {
        // Four of five texts are no tolerant versions.
        #![proptest_config(ProptestConfig { max_global_rejects: 65_536, ..ProptestConfig::default() })]

        #[test]
        fn namespace_that_parses_fits_its_schema(text in NAME) { assert_fits::<Namespace>(&text)?; }

        #[test]
        fn slug_that_parses_fits_its_schema(text in NAME) { assert_fits::<Slug>(&text)?; }

        #[test]
        fn handle_that_parses_fits_its_schema(text in NAME) { assert_fits::<Handle>(&text)?; }

        #[test]
        fn coordinate_that_parses_fits_its_schema(text in NAME) { assert_fits::<Coordinate>(&text)?; }

        #[test]
        fn tag_that_parses_fits_its_schema(text in NAME) { assert_fits::<TagName>(&text)?; }

        #[test]
        fn version_that_parses_fits_its_schema(text in VERSION) { assert_fits::<Version>(&text)?; }

        #[test]
        fn id_that_parses_fits_its_schema(text in "[0-9]{1,12}|[0-9a-z]{1,5}") { assert_fits::<Id>(&text)?; }

        #[test]
        fn tolerant_version_that_parses_fits_its_schema(text in "v?[0-9]{1,3}(\\.[0-9a-zA-Z]{1,3}){0,2}(-[a-z.]{0,3})?") {
            prop_assume!(text.parse::<TolerantVersion>().is_ok());
            prop_assert!(fits::<TolerantVersion>(&text), "{}", text);
        }
    }

    #[test]
    fn invalid_text_does_not_fit_the_schema() {
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "a.b", "a/b", &"a".repeat(65)] {
            assert!(!fits::<Slug>(bad), "{bad}");
        }
        for bad in ["", "a.", ".a", "A", "a b"] {
            assert!(!fits::<TagName>(bad), "{bad}");
        }
        for bad in ["", "1", "1.2", "v1.0.0", "1.0.0+b", "01.0.0", "1.0.0-", "1.0.0-01", "latest"] {
            assert!(!fits::<Version>(bad), "{bad}");
        }
        for bad in ["0", "01", "+1", "", "a"] {
            assert!(!fits::<Id>(bad), "{bad}");
        }
        for bad in ["https://", "https://a/", "https://a/$(id)", "ftp://a", "https://a//b"] {
            assert!(!fits::<PublicUrl>(bad), "{bad}");
        }
        for good in ["https://a", "http://127.0.0.1:80/b", "http://[::1]/~b/c.d"] {
            assert!(fits::<PublicUrl>(good), "{good}");
        }
        assert!(fits::<Digest>(&Digest::of(b"").to_string()));
        assert!(fits::<Timestamp>(&Timestamp::now().to_string()));
        assert!(!fits::<Coordinate>("a--b--c") && fits::<Coordinate>("a-b--c-d"));
    }
}
