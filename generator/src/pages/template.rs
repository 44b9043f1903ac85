//! Fills templates with `minijinja`.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior};
use serde::Serialize;

use super::escape::{escape, replace_unseen};
use super::filters;

/// A page could not be rendered: its template and context do not match.
#[derive(Debug, thiserror::Error)]
#[error("cannot render a page from the template {template}")]
pub struct PageError {
    template: &'static str,
    #[source]
    cause: Error,
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../site-template/", $name)))),*]
    };
}

/// All templates by name: pages and their shared parts.
const SOURCES: [(&str, &str); 32] = sources![
    "404.html",
    "api.html",
    "base.html",
    "help.html",
    "home.html",
    "keywords.html",
    "llms.txt",
    "namespace.html",
    "namespaces.html",
    "opensearch.xml",
    "parts.html",
    "robots.txt",
    "search.html",
    "sign-in/code.html",
    "sign-in/consent.html",
    "sign-in/frame.html",
    "sign-in/message.html",
    "signed-in.html",
    "sitemap.xml",
    "sitemaps.xml",
    "skill.html",
    "skill.md",
    "skill/facts.html",
    "skill/files.html",
    "skill/install.html",
    "skill/notices.html",
    "skill/versions.html",
    "skills.html",
    "version.html",
    "version/changes.html",
    "version/facts.html",
    "version/files.html",
];

/// Created at its first use. A test checks that it never fails.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, (&str, String)>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| match name.ends_with(".html") || name.ends_with(".xml") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    environment.set_formatter(format);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(|error| ("", format!("{error:#}")))?);
    filters::add_to(&mut environment);
    for (name, source) in SOURCES {
        environment.add_template(name, source).map_err(|error| (name, format!("{error:#}")))?;
    }
    Ok(environment)
});

/// Writes a value into a page or a plain text. Texts are escaped; other values are numbers or safe
/// markup.
fn format(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    if value.is_none() {
        return Err(Error::new(ErrorKind::InvalidOperation, "the value is none"));
    }
    match value.as_str().filter(|_| !value.is_safe()) {
        Some(text) if *state.auto_escape() == AutoEscape::Html => escape(out, text).map_err(Error::from),
        Some(text) => replace_unseen(out, text).map_err(Error::from),
        None => minijinja::escape_formatter(out, state, value),
    }
}

/// Renders a page from the template `name`. Every text of `context` is escaped, except
/// `readme.html`. Errors: the context lacks a value that the template shows.
pub fn fill(name: &'static str, context: &impl Serialize) -> Result<Vec<u8>, PageError> {
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

    /// Markdown with every supported element.
    const GOLDEN: &str = include_str!("readme/golden.md");

    /// The sha256 over templates, assets and the golden readme's HTML, for each format that changed
    /// one of them. Released lines never change.
    const DIGESTS: &[(u32, &str)] = &[
        (5, "975dbf2c485a09e33d31e0b546ca8e99f70c3f02dc1e9b255352fce2cd67f0ff"),
        (7, "d4553dfa6f50af0e8e69d6d182cbb4e1bfb8316556122ea426f598e057c144cb"),
        (9, "ed5084c24ac133e8318332818d638eb19222db64740934592d5c7e5d47e59322"),
    ];

    #[test]
    fn changed_pages_need_a_new_format() {
        let mut all = String::from(assets::folder());
        for (name, source) in SOURCES {
            all.extend(["\0", name, "\0", source]);
        }
        let golden = readme(GOLDEN, &["SKILL.md"], "1.0.0/");
        all.extend(["\0", &golden.html]);
        assert!(DIGESTS.is_sorted_by(|a, b| a.0 < b.0), "formats must be in ascending order");
        let last = DIGESTS.iter().rev().find(|(format, _)| *format <= FORMAT);
        let last = last.map(|(_, digest)| *digest);
        let is = Digest::of(all.as_bytes()).to_string();
        assert_eq!(
            Some(&*is),
            last,
            "the look of pages changed: raise FORMAT unless it was raised since the last release, then put \
             this digest into the line of FORMAT in DIGESTS, or add that line"
        );
    }

    #[test]
    fn all_templates_are_well_formed() {
        assert!(ENVIRONMENT.is_ok(), "{:?}", ENVIRONMENT.as_ref().err());
    }

    #[test]
    fn missing_value_is_an_error() {
        let error = fill("home.html", &serde_json::json!({})).unwrap_err();
        let message = registry::with_causes(&error);
        assert!(message.starts_with("cannot render a page from the template home.html: "), "{message}");
    }
}
