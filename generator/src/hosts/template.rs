//! Fills the templates of configurations.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use serde::Serialize;

/// A configuration could not be made: its template and context do not match.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a configuration from the template {template}")]
pub struct HostError {
    template: &'static str,
    #[source]
    cause: Error,
}

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../site-template/hosts/", $name)))),*]
    };
}

const SOURCES: [(&str, &str); 17] = sources![
    "Caddyfile",
    "apache.conf",
    "cloudflare/worker.js",
    "cloudflare/wrangler.toml",
    "cloudfront/function.js",
    "fastly/fastly.toml",
    "fastly/index.js",
    "fastly/package.json",
    "nginx.conf",
    "pages/_headers",
    "pages/_redirects",
    "s3.sh",
    "worker/answer.js",
    "worker/clawhub.js",
    "worker/git.js",
    "worker/keys.js",
    "worker/rules.js",
];

/// Created at its first use. A test checks that it never fails.
static ENVIRONMENT: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?,
    );
    environment.add_filter("variables", variables);
    environment.add_filter("quoted", quoted);
    for (name, source) in SOURCES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
});

/// Replaces each `{name}` of a text by a variable of the configuration: `before`, the name, and `after`.
fn variables(text: &str, before: &str, after: &str) -> String {
    text.replace('{', before).replace('}', after)
}

/// A text as a string of JavaScript.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Renders the template `name`.
pub(super) fn fill(name: &'static str, context: &impl Serialize) -> Result<String, HostError> {
    let error = |cause: Error| HostError { template: name, cause };
    let environment = ENVIRONMENT.as_ref().map_err(|why| error(Error::new(why.kind(), why.to_string())))?;
    let template = environment.get_template(name).map_err(error)?;
    template.render(Value::from(Serde(context))).map_err(error)
}
