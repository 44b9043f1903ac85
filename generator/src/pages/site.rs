//! The look of a site: its templates, its assets, and what the operator has chosen for them.

use std::fmt;
use std::sync::{Arc, LazyLock};

use registry::names::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::asset_set::AssetSet;
use super::readme::readme;
use super::site_options::SiteOptions;
use super::template::{PageError, TemplateFault, Templates};

/// The look of a site. As JSON it is its digest, so a site that was read only tells whether it is the same as
/// another one.
#[derive(Clone)]
pub struct Site {
    /// The sha256 of the operator's choice. `None` for the default look.
    digest: Option<Digest>,
    look: Arc<Look>,
}

struct Look {
    /// That of the [`Site`], unless only its digest was read.
    digest: Option<Digest>,
    has_about: bool,
    templates: Result<Templates, TemplateFault>,
    assets: AssetSet,
}

static DEFAULT: LazyLock<Arc<Look>> = LazyLock::new(|| Arc::new(Look::new(&SiteOptions::default(), None)));

impl Look {
    fn new(options: &SiteOptions, digest: Option<Digest>) -> Self {
        Self {
            digest,
            has_about: options.about.is_some(),
            templates: Templates::new(&options.replaced, &brand(options)),
            assets: AssetSet::new(options),
        }
    }
}

impl Site {
    /// The look that an operator has chosen.
    ///
    /// Errors: a template of the operator is not well-formed, or does not fit what pages show.
    pub fn new(options: &SiteOptions) -> Result<Self, TemplateFault> {
        if *options == SiteOptions::default() {
            return Ok(Self::default());
        }
        let digest = Some(Digest::of(&crate::json::json(options)));
        let look = Look::new(options, digest);
        if !options.replaced.is_empty() {
            look.templates.as_ref().map_err(Clone::clone)?.check()?;
        }
        Ok(Self { digest, look: Arc::new(look) })
    }

    /// Whether the operator has chosen nothing.
    pub fn is_default(&self) -> bool {
        self.digest.is_none()
    }

    /// Whether all of it is known, not only its digest.
    pub fn is_known(&self) -> bool {
        self.digest == self.look.digest
    }

    /// Whether the site has a page about itself.
    pub fn has_about(&self) -> bool {
        self.look.has_about
    }

    /// The files that its pages load.
    pub fn assets(&self) -> &AssetSet {
        &self.look.assets
    }

    /// Renders a page from the template `name`. Every text of `context` is escaped, except
    /// `readme.html`. Errors: the context lacks a value that the template shows.
    pub fn fill(&self, name: &'static str, context: &impl Serialize) -> Result<Vec<u8>, PageError> {
        let templates = self.look.templates.as_ref();
        templates.map_err(|fault| PageError::new(name, fault))?.fill(name, context)
    }
}

/// What all templates show of the operator's choice.
fn brand(options: &SiteOptions) -> Value {
    let links = options.links.iter();
    let links = links.map(
        |link| json!({ "text": link.text.as_str(), "url": link.url.as_str(), "isPath": link.url.is_path() }),
    );
    let html = |text: &Option<String>| {
        let made = text.as_ref().map(|text| readme(text, &[], ""));
        made.map(|made| made.html + &made.folded.unwrap_or_default())
    };
    json!({
        "name": options.name.as_str(),
        "logo": options.logo.as_ref().map(|logo| logo.file_name()),
        "links": links.collect::<Vec<_>>(),
        "about": html(&options.about),
        "publishing": html(&options.publishing),
    })
}

impl Default for Site {
    /// The look without an operator's choice.
    fn default() -> Self {
        Self { digest: None, look: Arc::clone(&DEFAULT) }
    }
}

impl PartialEq for Site {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Site {}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Site").field(&self.digest).finish()
    }
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.digest.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Site {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self { digest: Option::deserialize(from)?, ..Self::default() })
    }
}
