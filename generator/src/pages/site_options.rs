//! What an operator chooses for the pages of a site.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::color::Accent;
use super::escape::is_unseen;

/// The most characters of a name, and of the text of a link.
const MAX_CHARS: usize = 48;

/// The most bytes of the address of a link.
const MAX_URL_BYTES: usize = 2048;

/// The most bytes of a logo.
pub const MAX_LOGO_BYTES: usize = 256 << 10;

/// What an operator chooses for the pages of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SiteOptions {
    /// The name of the site.
    pub name: SiteName,
    /// The accent color.
    pub accent: Option<Accent<false>>,
    /// The accent color of the dark theme.
    pub accent_dark: Option<Accent<true>>,
    /// More links in the footer.
    pub links: Vec<SiteLink>,
    /// The logo, in the header and as the icon of the site.
    pub logo: Option<Logo>,
    /// What the site is, in Markdown.
    pub about: Option<String>,
    /// How to publish here, in Markdown.
    pub publishing: Option<String>,
    /// Templates and assets that replace the embedded ones, by their paths in `site-template`.
    pub replaced: BTreeMap<String, String>,
}

impl SiteOptions {
    /// The end of the style sheet.
    pub(super) fn accents(&self) -> String {
        let dark = self.accent_dark.or(self.accent.map(Accent::lightened));
        let light = self.accent.map(|accent| format!("\n@media screen {{ {} }}\n", accent.rule()));
        let dark = dark.map(|accent| {
            format!("\n@media screen and (prefers-color-scheme: dark) {{ {} }}\n", accent.rule())
        });
        light.unwrap_or_default() + &dark.unwrap_or_default()
    }

    /// The icon of the site in its accent color.
    pub(super) fn icon(&self, svg: &str) -> String {
        match self.accent {
            Some(accent) => svg.replace("#0b6b78", &String::from(accent)),
            None => svg.to_owned(),
        }
    }
}

/// A line for people: the name of a site, or the text of a link.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct SiteName(String);

impl SiteName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for SiteName {
    fn default() -> Self {
        Self("Skillmirror".into())
    }
}

impl TryFrom<String> for SiteName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_seen = !text.chars().any(|c| c.is_control() || is_unseen(c));
        if (1..=MAX_CHARS).contains(&text.chars().count()) && is_seen && text.trim() == text {
            return Ok(Self(text));
        }
        Err(format!(
            "write a line of 1 to {MAX_CHARS} characters, without invisible ones and without spaces at its ends"
        ))
    }
}

/// A link that the operator adds to all pages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SiteLink {
    /// The text.
    pub text: SiteName,
    /// The address.
    pub url: LinkUrl,
}

/// The address of a link: of a website, of a mailbox, or a path below the site.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct LinkUrl(String);

impl LinkUrl {
    /// The address, or the path without a slash at its start.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a path below the site.
    pub fn is_path(&self) -> bool {
        !self.0.contains(':')
    }
}

impl TryFrom<String> for LinkUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let advice = "write an address that begins with https://, http:// or mailto:, or a path of this site such as \
                      \"about/\"";
        let is_odd = |c: char| c.is_control() || c.is_whitespace() || is_unseen(c) || "\"'<>\\`".contains(c);
        if text.is_empty() || text.len() > MAX_URL_BYTES || text.contains(is_odd) {
            return Err(advice.into());
        }
        let of_web = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_valid = match (of_web, text.strip_prefix("mailto:")) {
            (Some(rest), _) => {
                let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
                !host.is_empty() && !host.contains('@')
            }
            (None, Some(mailbox)) => mailbox.contains('@'),
            (None, None) => {
                !text.contains(':') && !text.starts_with("//") && !text.split('/').any(|part| part == "..")
            }
        };
        match is_valid {
            true if of_web.is_none() => Ok(Self(text.trim_start_matches('/').to_owned())),
            true => Ok(Self(text)),
            false => Err(advice.into()),
        }
    }
}

/// An image: SVG or PNG.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Logo {
    is_svg: bool,
    bytes: Vec<u8>,
}

impl Logo {
    /// Reads an image.
    ///
    /// Errors: the file is not an SVG or a PNG, is too large, or is an SVG with scripts. Pages show it with `<img>`,
    /// where no script runs, but people can also open the file itself.
    pub fn new(bytes: Vec<u8>) -> Result<Self, String> {
        if bytes.len() > MAX_LOGO_BYTES {
            return Err(format!("it has more than {} KiB: use a smaller image", MAX_LOGO_BYTES >> 10));
        }
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Ok(Self { is_svg: false, bytes });
        }
        let text =
            std::str::from_utf8(&bytes).ok().filter(|text| text.contains("http://www.w3.org/2000/svg"));
        match text.map(has_script) {
            None => Err("it is neither SVG nor PNG: use such an image".into()),
            Some(true) => Err("the SVG has scripts, or content that may run some: remove them".into()),
            Some(false) => Ok(Self { is_svg: true, bytes }),
        }
    }

    /// Its path among the assets.
    pub fn file_name(&self) -> &'static str {
        if self.is_svg { "logo.svg" } else { "logo.png" }
    }

    /// The content of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Whether an SVG may run a script: an element for it, an event, a link, or an entity that hides them.
fn has_script(svg: &str) -> bool {
    let svg = svg.to_ascii_lowercase();
    let active = ["<script", ":script", "<foreignobject", ":foreignobject", "javascript:", "<!entity", "&#"];
    let is_event = |at: usize| {
        let starts = svg[..at].ends_with(|c: char| c.is_whitespace() || "\"'/".contains(c));
        let after = svg[at + 2..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        starts && after.trim_start().starts_with('=')
    };
    svg.match_indices("on").any(|(at, _)| is_event(at)) || active.iter().any(|part| svg.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_link_is_refused() {
        for url in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "//other.example",
            "../other",
            "about/../../other",
            "https://bank.example@other.example/",
            "https://",
            "https://a.example/\"onclick=\"x",
            "\\\\other.example",
            "ftp://a.example",
            "",
        ] {
            assert!(LinkUrl::try_from(url.to_owned()).unwrap_err().contains("https://"), "{url}");
        }
        for (url, shown, is_path) in [
            ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z", false),
            ("http://[::1]:8080", "http://[::1]:8080", false),
            ("mailto:skills@a.example", "mailto:skills@a.example", false),
            ("/help/#publish", "help/#publish", true),
            ("about/", "about/", true),
            ("/", "", true),
        ] {
            let link = LinkUrl::try_from(url.to_owned()).unwrap();
            assert_eq!((link.as_str(), link.is_path()), (shown, is_path), "{url}");
        }
    }

    #[test]
    fn logo_that_may_run_a_script_is_refused() {
        let svg =
            |inside: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {inside}</svg>").into_bytes();
        for inside in [
            "><script>alert(1)</script>",
            "><SCRIPT href='x'/>",
            "onload=\"alert(1)\">",
            "\nONLOAD = 'alert(1)'>",
            "><g/onclick='x'/>",
            "><a href='javascript:alert(1)'/>",
            "><a href='&#106;avascript:alert(1)'/>",
            "><foreignObject/>",
        ] {
            assert!(Logo::new(svg(inside)).unwrap_err().contains("script"), "{inside}");
        }
        for inside in ["version='1.0'><path d='M0 0'/>", "><title>Python on rails</title><path id='once'/>"] {
            assert_eq!(Logo::new(svg(inside)).unwrap().file_name(), "logo.svg", "{inside}");
        }
        assert_eq!(Logo::new(b"\x89PNG\r\n\x1a\nx".to_vec()).unwrap().file_name(), "logo.png");
        for bytes in [&b"GIF89a"[..], b"<svg>", b"\xff\xd8"] {
            assert!(Logo::new(bytes.to_vec()).unwrap_err().contains("neither SVG nor PNG"));
        }
        assert!(Logo::new(vec![0; MAX_LOGO_BYTES + 1]).unwrap_err().contains("256 KiB"));
    }

    #[test]
    fn name_is_one_line_that_people_see() {
        for name in ["", " a", "a\nb", "a\u{202e}b", "\u{200b}", &"x".repeat(49)] {
            assert!(SiteName::try_from(name.to_owned()).is_err(), "{name:?}");
        }
        for name in ["x", "Ünï & <b>bold</b>", &"x".repeat(48)] {
            assert!(SiteName::try_from(name.to_owned()).is_ok(), "{name:?}");
        }
    }
}
