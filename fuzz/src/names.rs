//! The target `names`: each line is read as every kind of name, and each two neighbours as
//! the parts of a coordinate.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use registry::names::{Coordinate, Digest, Handle, Namespace, Slug, TagName, TolerantVersion, Version};

/// Lines that are read. More would not find more.
const LINES: usize = 8;

/// Checks that a name's text parses to the same name and is a valid file name, that a
/// coordinate has one text only, and that no tag is also a version.
pub fn hold(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let lines: Vec<&str> = text.split('\n').take(LINES).collect();
    for line in &lines {
        alone(line);
    }
    for (namespace, slug) in lines.iter().zip(lines.iter().skip(1)) {
        if let (Ok(namespace), Ok(slug)) = (namespace.parse::<Namespace>(), slug.parse::<Slug>()) {
            comes_back(&Coordinate::new(namespace, slug));
        }
    }
}

fn alone(text: &str) {
    as_it_is_written::<Namespace>(text);
    as_it_is_written::<Slug>(text);
    as_it_is_written::<Handle>(text);
    as_it_is_written::<Digest>(text);
    as_it_is_written::<TagName>(text);
    as_it_is_written::<Version>(text);
    if let Ok(coordinate) = text.parse::<Coordinate>() {
        comes_back(&coordinate);
        let canonical = coordinate.to_string();
        assert!(text == canonical || text == format!("global--{canonical}"), "{text:?}");
        assert_eq!(coordinate.scoped(), format!("@{}/{}", coordinate.namespace, coordinate.slug));
    }
    if let Ok(TolerantVersion { version, repaired }) = text.parse() {
        assert!(text.parse::<TagName>().is_err(), "{text:?} is a version and a tag");
        assert_eq!(repaired, version.to_string() != text, "{text:?}");
        let again = version.to_string().parse();
        assert_eq!(again, Ok(TolerantVersion { version: version.clone(), repaired: false }));
        assert!(version.eq_ignoring_case(&version));
        if let Some(next) = version.next_patch() {
            assert!(next > version && !next.is_prerelease(), "{text:?}");
            comes_back(&next);
        }
    }
}

/// Checks that a valid `T` is written as it was read.
fn as_it_is_written<T: FromStr + Display + Debug + PartialEq>(text: &str)
where
    T::Err: Debug + PartialEq,
{
    let Ok(name) = text.parse::<T>() else { return };
    assert_eq!(name.to_string(), text);
    comes_back(&name);
    assert!(
        text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)),
        "{text}"
    );
    assert!(!text.starts_with(['.', '-']) && !text.ends_with('.'), "{text}");
}

fn comes_back<T: FromStr + Display + Debug + PartialEq>(name: &T)
where
    T::Err: Debug + PartialEq,
{
    assert_eq!(name.to_string().parse::<T>().as_ref(), Ok(name));
}
