//! What to purge.

use std::collections::BTreeSet;

use generator::address::Document;

use super::{PurgeBy, PurgeSettings};
use crate::attributes;

/// What to purge: everything, or tags, or URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeList {
    Everything,
    Tags(BTreeSet<String>),
    Urls(BTreeSet<String>),
}

impl PurgeList {
    /// The list for changed documents.
    pub fn of(documents: &BTreeSet<Document>, is_everything: bool, settings: &PurgeSettings) -> Self {
        if is_everything {
            return Self::Everything;
        }
        match settings.by {
            PurgeBy::Tags => Self::Tags(documents.iter().map(attributes::purge_tag).collect()),
            PurgeBy::Addresses => {
                let paths = documents.iter().flat_map(paths);
                Self::Urls(paths.map(|path| format!("{}{path}", settings.public_url)).collect())
            }
        }
    }

    /// The lines for a command: `all`, or a tag or URL in each.
    pub fn lines(&self) -> String {
        match self {
            Self::Everything => "all\n".to_owned(),
            Self::Tags(all) | Self::Urls(all) => all.iter().map(|one| format!("{one}\n")).collect(),
        }
    }
}

/// The paths of a document: that of its file, that of requests, and that of the folder of a page.
fn paths(document: &Document) -> BTreeSet<String> {
    let file = document.file().map(|file| format!("/{file}"));
    let folder = file.as_ref().and_then(|file| file.strip_suffix("index.html")).map(ToOwned::to_owned);
    [file, folder, Some(document.request())].into_iter().flatten().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use generator::address::of_file;

    use super::*;
    use crate::purge::PurgeService;

    fn lines(by: PurgeBy, files: &[&str]) -> String {
        let documents = files.iter().map(|file| of_file(file).unwrap().0).collect();
        let settings = PurgeSettings {
            service: PurgeService::Command(Vec::new()),
            endpoint: None,
            by,
            public_url: "https://skills.example.org/base".parse().unwrap(),
            interval: Duration::ZERO,
        };
        PurgeList::of(&documents, files.is_empty(), &settings).lines()
    }

    #[test]
    fn documents_are_purged_by_all_their_urls_or_by_their_tag() {
        let files = [
            "api/v1/skills/team/hello.json",
            "team/hello/index.html",
            "team/index.html",
            "api/v1/skills.json",
        ];
        assert_eq!(
            lines(PurgeBy::Addresses, &files),
            "https://skills.example.org/base/api/v1/skills\n\
             https://skills.example.org/base/api/v1/skills.json\n\
             https://skills.example.org/base/api/v1/skills/team/hello\n\
             https://skills.example.org/base/api/v1/skills/team/hello.json\n\
             https://skills.example.org/base/team/\n\
             https://skills.example.org/base/team/hello/\n\
             https://skills.example.org/base/team/hello/index.html\n\
             https://skills.example.org/base/team/index.html\n"
        );
        assert_eq!(lines(PurgeBy::Tags, &files), "lists\nlists-team\nskill-team--hello\n");
        assert_eq!(lines(PurgeBy::Tags, &[]), "all\n");
    }
}
