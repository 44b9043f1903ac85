//! Licenses that readers can look up.

use serde::Serialize;

/// Identifiers of the SPDX license list that packages use most.
const IDENTIFIERS: &[&str] = &[
    "0BSD",
    "AFL-3.0",
    "AGPL-3.0",
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-2.0",
    "Artistic-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD-3-Clause-Clear",
    "BSL-1.0",
    "BUSL-1.1",
    "CC-BY-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-ND-4.0",
    "CC-BY-NC-SA-4.0",
    "CC-BY-ND-4.0",
    "CC-BY-SA-4.0",
    "CC0-1.0",
    "ECL-2.0",
    "Elastic-2.0",
    "EPL-2.0",
    "EUPL-1.2",
    "GPL-2.0",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1",
    "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "MS-PL",
    "MulanPSL-2.0",
    "NCSA",
    "OFL-1.1",
    "OSL-3.0",
    "PostgreSQL",
    "PSF-2.0",
    "Python-2.0",
    "Unlicense",
    "UPL-1.0",
    "Vim",
    "WTFPL",
    "Zlib",
];

/// The words between the identifiers of an SPDX expression.
const OPERATORS: [&str; 3] = ["AND", "OR", "WITH"];

/// A part of a license's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LicensePart {
    /// The text, as the author wrote it.
    pub text: String,
    /// The address that explains it; `None` for what is no identifier.
    pub href: Option<String>,
}

/// The parts of a license: the identifiers of an SPDX expression, with a space between parts. Any other text
/// is one part without an address.
pub fn license_parts(license: &str) -> Vec<LicensePart> {
    let whole = || vec![LicensePart { text: license.to_owned(), href: None }];
    let mut parts = Vec::new();
    for word in license.split_whitespace() {
        let name = word.trim_matches(['(', ')']);
        let known = IDENTIFIERS.iter().find(|id| id.eq_ignore_ascii_case(name));
        if known.is_none() && !OPERATORS.contains(&word) {
            return whole();
        }
        let href = known.map(|id| format!("https://spdx.org/licenses/{id}.html"));
        parts.push(LicensePart { text: word.to_owned(), href });
    }
    if parts.iter().any(|part| part.href.is_some()) { parts } else { whole() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_addresses_and_sentences_have_none() {
        let shown = |license: &str| -> Vec<String> {
            let parts = license_parts(license).into_iter();
            parts
                .map(|part| part.href.map_or(part.text.clone(), |href| format!("{} {href}", part.text)))
                .collect()
        };
        assert_eq!(shown("mit"), ["mit https://spdx.org/licenses/MIT.html"]);
        assert_eq!(
            shown("(MIT OR Apache-2.0)"),
            [
                "(MIT https://spdx.org/licenses/MIT.html",
                "OR",
                "Apache-2.0) https://spdx.org/licenses/Apache-2.0.html"
            ]
        );
        for text in ["Complete terms in LICENSE.txt", "OR", "Proprietary", "MIT, see LICENSE", "\"><script>"]
        {
            assert_eq!(shown(text), [text]);
        }
    }
}
