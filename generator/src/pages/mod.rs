//! Fills the templates of web pages, and holds their assets.
//!
//! This module does not know the catalog. A page's content comes as a context, and every text in it
//! is escaped. The only exception is the HTML of a [`Readme`], which is made here from Markdown and
//! contains no active content.

#[cfg(feature = "writer")]
mod addresses;
#[cfg(feature = "writer")]
mod asset_set;
pub mod assets;
#[cfg(feature = "writer")]
mod color;
#[cfg(feature = "writer")]
mod escape;
#[cfg(feature = "writer")]
mod filters;
#[cfg(feature = "writer")]
mod front_matter;
#[cfg(feature = "writer")]
mod joined;
#[cfg(feature = "writer")]
mod licenses;
#[cfg(feature = "writer")]
mod readme;
#[cfg(feature = "writer")]
mod samples;
#[cfg(feature = "writer")]
mod site;
#[cfg(feature = "writer")]
mod site_options;
#[cfg(feature = "writer")]
mod template;

#[cfg(all(test, feature = "writer"))]
mod tests;

#[cfg(feature = "writer")]
pub use color::Accent;
#[cfg(feature = "writer")]
pub(crate) use filters::longest_fence;
#[cfg(feature = "writer")]
pub use front_matter::front_matter;
#[cfg(feature = "writer")]
pub use licenses::{LicensePart, license_parts};
#[cfg(feature = "writer")]
pub use readme::{HeadingLink, Readme, file_anchor, readme};
#[cfg(feature = "writer")]
pub use site::Site;
#[cfg(feature = "writer")]
pub use site_options::{LinkUrl, Logo, MAX_LOGO_BYTES, SiteLink, SiteName, SiteOptions};
#[cfg(feature = "writer")]
pub use template::{PageError, TemplateFault, names as template_names};

/// The `Content-Security-Policy` of pages. A page may load files of its own origin and nothing else,
/// whatever a package contains. The pages also carry this policy themselves, for hosts that send no
/// header, except for `frame-ancestors`, which only a header can set.
pub const BROWSER_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                                  connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
