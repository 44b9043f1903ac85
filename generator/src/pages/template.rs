//! Fills templates with `minijinja`.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior};
use parking_lot::Mutex;
use serde::Serialize;

use super::escape::{escape, replace_unseen};
use super::{filters, samples};

/// A page could not be rendered: its template and context do not match.
#[derive(Debug, thiserror::Error)]
#[error("cannot render a page from the template {template}")]
pub struct PageError {
    template: &'static str,
    #[source]
    cause: Error,
}

impl PageError {
    /// The template `name` cannot be used because of a fault in one of all.
    pub(super) fn new(template: &'static str, fault: &TemplateFault) -> Self {
        Self { template, cause: Error::new(ErrorKind::SyntaxError, fault.to_string()) }
    }
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../site-template/", $name)))),*]
    };
}

/// All templates by name: pages and their shared parts.
const SOURCES: [(&str, &str); 37] = sources![
    "404.html",
    "about.html",
    "advisories.html",
    "api.html",
    "base.html",
    "bundle.html",
    "feed.xml",
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
    "sign-in/handle.html",
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

/// A template of an operator is not well-formed, or does not fit what pages show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub struct TemplateFault {
    /// The template.
    pub file: String,
    /// The line, from 1; 0 if it is unknown.
    pub line: usize,
    /// The reason.
    pub why: String,
}

impl TemplateFault {
    /// The fault that `error` reports while the template `name` is read or filled: the innermost one, because
    /// templates include others.
    fn of(name: &str, error: &Error) -> Self {
        let mut inner = error;
        while let Some(cause) =
            std::error::Error::source(inner).and_then(|cause| cause.downcast_ref::<Error>())
        {
            inner = cause;
        }
        let why =
            inner.detail().map_or(inner.kind().to_string(), |detail| format!("{}: {detail}", inner.kind()));
        Self { file: inner.name().unwrap_or(name).to_owned(), line: inner.line().unwrap_or_default(), why }
    }
}

/// The names of all templates.
pub fn names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(name, _)| *name)
}

/// The templates of a site.
pub(super) struct Templates(Environment<'static>);

impl Templates {
    /// Reads the embedded templates, or those that the operator has instead. All show `brand`.
    pub(super) fn new(
        replaced: &BTreeMap<String, String>,
        brand: &serde_json::Value,
    ) -> Result<Self, TemplateFault> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|name| {
            match name.ends_with(".html") || name.ends_with(".xml") {
                true => AutoEscape::Html,
                false => AutoEscape::None,
            }
        });
        environment.set_formatter(format);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| TemplateFault::of("", &error))?);
        filters::add_to(&mut environment);
        environment.add_global("brand", Value::from(Serde(brand)));
        for (name, source) in SOURCES {
            let source = replaced.get(name).map_or(source, |text| interned(text));
            environment.add_template(name, source).map_err(|error| TemplateFault::of(name, &error))?;
        }
        Ok(Self(environment))
    }

    /// Renders a page from the template `name`.
    pub(super) fn fill(&self, name: &'static str, context: &impl Serialize) -> Result<Vec<u8>, PageError> {
        let filled = self.0.get_template(name).and_then(|page| page.render(Value::from(Serde(context))));
        Ok(filled.map_err(|cause| PageError { template: name, cause })?.into_bytes())
    }

    /// Fills every template with much and with little content.
    pub(super) fn check(&self) -> Result<(), TemplateFault> {
        for (name, context) in samples::all() {
            self.fill(name, &context).map_err(|error| TemplateFault::of(name, &error.cause))?;
        }
        Ok(())
    }
}

/// A text that lives as long as the process, as the environment needs it. Texts that were read before are not
/// stored again, so a reload of unchanged settings needs no memory.
fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock();
    if let Some(known) = texts.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    texts.insert(text);
    text
}

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

#[cfg(test)]
mod tests {
    use registry::names::Digest;

    use super::*;
    use crate::FORMAT;
    use crate::pages::{Site, SiteOptions, readme};

    /// Markdown with every supported element.
    const GOLDEN: &str = include_str!("readme/golden.md");

    /// The sha256 over templates, assets and the golden readme's HTML, for each format that changed
    /// one of them. Released lines never change.
    const DIGESTS: &[(u32, &str)] = &[
        (5, "975dbf2c485a09e33d31e0b546ca8e99f70c3f02dc1e9b255352fce2cd67f0ff"),
        (7, "d4553dfa6f50af0e8e69d6d182cbb4e1bfb8316556122ea426f598e057c144cb"),
        (9, "52f680cac6d30f5f6b419e5c0e3f801b3b71298bb9faf7a814392ce7a6aad083"),
    ];

    #[test]
    fn changed_pages_need_a_new_format() {
        let mut all = Site::default().assets().folder();
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
    fn missing_value_is_an_error() {
        let error = Site::default().fill("home.html", &serde_json::json!({})).unwrap_err();
        let message = registry::with_causes(&error);
        assert!(message.starts_with("cannot render a page from the template home.html: "), "{message}");
    }

    #[test]
    fn embedded_templates_fit_the_samples() {
        let brand =
            serde_json::json!({ "name": "x", "logo": null, "links": [], "about": "", "publishing": null });
        assert_eq!(Templates::new(&BTreeMap::new(), &brand).unwrap().check(), Ok(()));
    }

    #[test]
    fn fault_of_an_operators_template_names_file_and_line() {
        for (file, text, line, why) in [
            ("help.html", "{% block x %}\n{% if %}", 2, "syntax error"),
            ("help.html", "a\nb\n{{ nothing }}", 3, "undefined value"),
            ("help.html", "{{ site|nothing }}", 1, "nothing"),
            ("help.html", "\n{% include 'nothing.html' %}", 2, "nothing.html"),
            ("skill/facts.html", "\n\n\n{{ skill.nothing }}", 4, "undefined value"),
            ("robots.txt", "{{ nothing }}", 1, "undefined value"),
        ] {
            let replaced = BTreeMap::from([(file.to_owned(), text.to_owned())]);
            let fault = Site::new(&SiteOptions { replaced, ..SiteOptions::default() }).unwrap_err();
            assert_eq!((&*fault.file, fault.line), (file, line), "{fault}");
            assert!(fault.why.contains(why), "{fault}");
        }
    }
}
