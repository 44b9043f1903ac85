//! Templates to pages.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior};
use serde::Serialize;

use super::escape::escape;
use super::filters;

/// A kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// `/`.
    Home,
    /// `/search/`.
    Search,
    /// `/namespaces/` and its further pages.
    Namespaces,
    /// `/{namespace}/` and its further pages.
    Namespace,
    /// `/{namespace}/{slug}/`.
    Skill,
    /// `/404.html`.
    Missing,
}

impl Template {
    fn name(self) -> &'static str {
        match self {
            Self::Home => "home.html",
            Self::Search => "search.html",
            Self::Namespaces => "namespaces.html",
            Self::Namespace => "namespace.html",
            Self::Skill => "skill.html",
            Self::Missing => "404.html",
        }
    }
}

/// A page could not be made: the template and its context do not fit.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be made from {template}: {cause:#}")]
pub struct PageError {
    template: &'static str,
    cause: Error,
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../site-template/", $name)))),*]
    };
}

/// All templates, by name: pages and the parts that they share.
const SOURCES: [(&str, &str); 13] = sources![
    "404.html",
    "base.html",
    "home.html",
    "namespace.html",
    "namespaces.html",
    "parts.html",
    "search.html",
    "skill.html",
    "skill/facts.html",
    "skill/files.html",
    "skill/install.html",
    "skill/notices.html",
    "skill/versions.html",
];

/// Made at its first use. Templates are part of the program: a test makes it too.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, (&str, String)>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(format);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(|error| ("", format!("{error:#}")))?);
    filters::add_to(&mut environment);
    for (name, source) in SOURCES {
        environment.add_template(name, source).map_err(|error| (name, format!("{error:#}")))?;
    }
    Ok(environment)
});

/// Every value that a template shows. What is no text already is a number, or markup of
/// the templates' own or a readme's.
fn format(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_none() {
        return Err(Error::new(ErrorKind::InvalidOperation, "there is nothing to show"));
    }
    match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) => escape(out, text).map_err(Error::from),
        None => minijinja::escape_formatter(out, state, value),
    }
}

/// A page's bytes, from what it shows: every text of `context` is escaped, but for
/// `readme.html`. Fails where the context lacks something that the template shows.
pub fn fill(template: Template, context: &impl Serialize) -> Result<Vec<u8>, PageError> {
    let name = template.name();
    let environment = ENVIRONMENT.as_ref().map_err(|(template, reason)| PageError {
        template,
        cause: Error::new(ErrorKind::SyntaxError, reason.clone()),
    })?;
    let page = environment
        .get_template(name)
        .and_then(|template| template.render(Value::from(Serde(context))))
        .map_err(|cause| PageError { template: name, cause })?;
    Ok(page.into_bytes())
}

#[cfg(test)]
mod tests {
    use registry::names::Digest;

    use super::*;
    use crate::FORMAT;
    use crate::pages::{assets, readme};

    /// Has everything that a text can have.
    const GOLDEN: &str = include_str!("readme/golden.md");

    /// Each format that had other templates or assets, or made other HTML of Markdown, than
    /// the one before, and the sha256 over all three. A released line is for ever.
    const LOOKS: &[(u32, &str)] = &[
        (5, "975dbf2c485a09e33d31e0b546ca8e99f70c3f02dc1e9b255352fce2cd67f0ff"),
        (7, "d4553dfa6f50af0e8e69d6d182cbb4e1bfb8316556122ea426f598e057c144cb"),
    ];

    #[test]
    fn another_look_is_another_format() {
        let mut all = String::from(assets::folder());
        for (name, source) in SOURCES {
            all.extend(["\0", name, "\0", source]);
        }
        let golden = readme(GOLDEN, &["SKILL.md"]);
        all.extend(["\0", &golden.html]);
        assert!(LOOKS.is_sorted_by(|a, b| a.0 < b.0), "formats only grow");
        let last = LOOKS.iter().rev().find(|(format, _)| *format <= FORMAT);
        let last = last.map(|(_, digest)| (*digest).to_owned());
        let is = Some(Digest::of(all.as_bytes()).to_string());
        assert_eq!(is, last, "raise FORMAT, and add a line of it and this digest");
    }

    #[test]
    fn every_template_is_well_formed() {
        assert!(ENVIRONMENT.is_ok(), "{:?}", ENVIRONMENT.as_ref().err());
    }

    #[test]
    fn what_is_missing_is_an_error_and_no_page() {
        let error = fill(Template::Home, &serde_json::json!({})).unwrap_err();
        assert!(
            error.to_string().contains("base.html") || error.to_string().contains("home.html"),
            "{error}"
        );
    }
}
