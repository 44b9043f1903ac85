//! The files that a document refers to.

use generator::address::{CrawlerFile, Document, GitFile, SkillList, WebPage, locate};
use generator::settings::TreeSettings;
use serde_json::Value;

/// A file that must exist while a document names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub file: String,
    /// Whether it is the next page of a list.
    pub is_next: bool,
}

impl Reference {
    fn to(target: &Document) -> Self {
        Self { file: target.file().unwrap(), is_next: false }
    }

    fn file(file: String) -> Self {
        Self { file, is_next: false }
    }
}

/// The references of a document with these bytes.
pub fn references(document: &Document, bytes: &[u8], settings: &TreeSettings) -> Vec<Reference> {
    let text = || std::str::from_utf8(bytes).unwrap();
    match document {
        Document::SkillList(list) => {
            let next = Document::SkillList(SkillList { page: list.page + 1, ..list.clone() });
            next_page(&next, (list.page, list.size, settings.depth_of(list.sort)), bytes)
        }
        Document::NamespaceList { page, size } => {
            let next = Document::NamespaceList { page: page + 1, size: *size };
            next_page(&next, (*page, *size, settings.list_depth), bytes)
        }
        Document::SearchManifest => manifest(bytes),
        Document::AgentSkill(_)
        | Document::AgentSkills(_)
        | Document::Marketplace(_)
        | Document::BundleSkills(_)
        | Document::BundleMarketplace(_)
        | Document::SkillMarkdown(_) => for_clients(text()),
        Document::Crawlers(CrawlerFile::Sitemaps | CrawlerFile::Sitemap(_)) => locations(text(), settings),
        Document::Git(name, GitFile::Refs) => {
            vec![Reference::to(&Document::Git(name.clone(), GitFile::Pack))]
        }
        Document::Page(WebPage::Missing) => Vec::new(),
        Document::Page(page) => links(document, page, text()),
        _ => Vec::new(),
    }
}

/// Pages that exist once, to which the frame of every page links. They may be written after a page that does.
fn is_anytime(page: &WebPage) -> bool {
    matches!(
        page,
        WebPage::Home
            | WebPage::Search
            | WebPage::SignedIn(_)
            | WebPage::Skills(_)
            | WebPage::Namespaces(1)
            | WebPage::About
            | WebPage::Help
            | WebPage::Api
            | WebPage::Advisories
    )
}

/// A list's total implies its next page.
fn next_page(next: &Document, (page, size, depth): (u64, u64, u64), bytes: &[u8]) -> Vec<Reference> {
    let list: Value = serde_json::from_slice(bytes).unwrap();
    let has_next = list["total"].as_u64().unwrap() > page * size && page < depth;
    has_next.then(|| Reference { is_next: true, ..Reference::to(next) }).into_iter().collect()
}

/// All links of a page to files of the tree.
fn links(document: &Document, page: &WebPage, html: &str) -> Vec<Reference> {
    let file = format!("/{}", document.file().unwrap());
    let folder = file.strip_suffix("index.html").unwrap();
    let mut found = Vec::new();
    // An author may name a skill that does not exist.
    let html = html.replace("class=\"needed\" href=", "");
    for link in html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let path = link.split(['#', '?']).next().unwrap();
        if path.is_empty() || path.contains(':') {
            continue;
        }
        let target = locate(&resolve(folder, path), "").unwrap_or_else(|why| panic!("{link}: {why:?}"));
        let Some(target) = target else { panic!("{document:?} links to {link}, which is no document") };
        // Back links of a new skill's page may come later.
        let leads_back = |target: &WebPage| match page {
            WebPage::Skill(_) => !matches!(target, WebPage::Skill(_) | WebPage::Version(..)),
            WebPage::Version(..) => true,
            WebPage::Group(..) | WebPage::Bundle(_) => matches!(target, WebPage::Namespace(_)),
            _ => false,
        };
        let leads_back = match &target {
            Document::Page(target) => leads_back(target) || is_anytime(target),
            // Every page names the description of the search.
            Document::Crawlers(_) => true,
            _ => false,
        };
        if !leads_back {
            found.push(Reference::to(&target));
        }
    }
    found
}

/// The files of the addresses in a sitemap.
fn locations(text: &str, settings: &TreeSettings) -> Vec<Reference> {
    let site = settings.public_url.as_ref().unwrap().as_str();
    let named =
        text.split("<loc>").skip(1).map(|rest| rest.split('<').next().unwrap().replace("&#x2f;", "/"));
    let target = |url: String| locate(url.strip_prefix(site).unwrap(), "").unwrap().unwrap();
    named.map(|url| Reference::to(&target(url))).collect()
}

/// The files below the API that an index or text for other clients names.
fn for_clients(text: &str) -> Vec<Reference> {
    let named = text.split("api/v1/").skip(1);
    let path =
        |named: &str| named.chars().take_while(|c| !matches!(c, '"' | ')' | ' ' | '\n')).collect::<String>();
    named.map(|named| Reference::file(format!("api/v1/{}", path(named)))).collect()
}

/// The manifest ends with the name of a piece, or with zeros if no skill is live.
fn manifest(bytes: &[u8]) -> Vec<Reference> {
    let name: String = bytes[bytes.len() - 8..].iter().map(|byte| format!("{byte:02x}")).collect();
    let piece = Some(name).filter(|name| name.bytes().any(|digit| digit != b'0'));
    piece.map(|name| Reference::file(format!("api/v1/search/_index/{name}.bin"))).into_iter().collect()
}

/// Resolves a link of a folder's page.
fn resolve(folder: &str, link: &str) -> String {
    let mut path: Vec<_> = match link.starts_with('/') {
        true => Vec::new(),
        false => folder.trim_matches('/').split('/').filter(|name| !name.is_empty()).collect(),
    };
    for step in link.trim_start_matches('/').split('/') {
        match step {
            "." | "" => {}
            ".." => drop(path.pop()),
            name => path.push(name),
        }
    }
    let is_folder = link.ends_with('/') || link.ends_with('.');
    let end = if is_folder && !path.is_empty() { "/" } else { "" };
    format!("/{}{end}", path.join("/"))
}
