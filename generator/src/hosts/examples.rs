//! One example of every kind of address, from which the rules of hosts are made.

use registry::names::{Coordinate, Namespace, TagName, Version};
use registry::public::Sort;

use crate::address::{
    AssetPath, ClawhubDocument, DEFAULT_SIZE, Document, FoundSkills, GitFile, KeywordList, LogTile, Pointer,
    SearchPage, SkillList, WebPage,
};
use crate::search::PieceName;

/// Names in examples, and the expressions for all such names. Of two that begin alike, the longer
/// one is first.
const NAMES: [(&str, &str); 8] = [
    ("namespace0--slug0", "[a-z0-9-]+"),
    ("namespace0", "[a-z0-9-]+"),
    ("slug0", "[a-z0-9-]+"),
    ("0.0.0-version0", r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?"),
    ("tag0", "[a-z0-9][a-z0-9._-]*"),
    ("77777", "[1-9][0-9]*"),
    ("word0", "[a-z0-9]+"),
    ("eeeeeeeeeeeeeeee", "[0-9a-f]{16}"),
];

/// The number of each page in examples.
const PAGE: u64 = 77777;

/// The expression for a text of an example. It works in PCRE, RE2 and JavaScript.
pub(super) fn expression(mut text: &str) -> String {
    let mut expression = String::new();
    while let Some(first) = text.chars().next() {
        if let Some((name, class)) = NAMES.iter().find(|(name, _)| text.starts_with(name)) {
            expression.push_str(class);
            text = &text[name.len()..];
        } else {
            if first == '.' {
                expression.push('\\');
            }
            expression.push(first);
            text = &text[first.len_utf8()..];
        }
    }
    expression
}

/// A text of an example with `:name` for each name in it.
pub(super) fn placeholders(text: &str) -> String {
    let named = [("namespace0--slug0", ":slug"), ("namespace0", ":namespace"), ("slug0", ":slug")];
    let others = [("0.0.0-version0", ":version"), ("tag0", ":tag"), ("77777", ":page"), ("word0", ":word")];
    let replace = |text: String, (name, placeholder): &(&str, &str)| text.replace(name, placeholder);
    named.iter().chain(&others).fold(text.to_owned(), replace)
}

/// The expression for the path of a request for a document like this, from the first slash on.
pub(super) fn path(example: &Document) -> String {
    match example {
        // Trees also have the assets of earlier releases for a while.
        Document::Asset(_) => "/assets/[0-9a-f]{16}/.+".into(),
        Document::LogTile(tile) => {
            let partial = if tile.is_full() { "" } else { r"\.p/[0-9]+" };
            format!("/api/v1/log/tile/(?:[0-7]|entries)/(?:x[0-9]{{3}}/)*[0-9]{{3}}{partial}")
        }
        _ => {
            let request = example.request();
            expression(request.split('?').next().unwrap_or_default())
        }
    }
}

/// What a document is, for comments in configurations.
pub(super) fn about(document: &Document) -> &'static str {
    match document {
        Document::Package(..) => "the package of a version",
        Document::CompatPackage(_, Pointer::Version(_)) => "the same at its short address",
        Document::CompatPackage(_, Pointer::Tag(_)) => "the package that a tag points to",
        Document::LatestPackage(_) => "the package of the latest version",
        Document::Version(..) => "a version",
        Document::Files(..) => "the files of a version",
        Document::Proof(..) => "the proof that the log has a version",
        Document::Resolve(..) | Document::CompatResolve(..) => "what a name resolves to",
        Document::Skill(_) => "a skill",
        Document::Versions(_) => "the versions of a skill",
        Document::Git(_, GitFile::Refs) => "the refs of a git repository",
        Document::Git(_, GitFile::Pack) => "the pack of a git repository",
        Document::Namespace(_) => "a namespace",
        Document::Skills | Document::SkillList(_) | Document::KeywordList(_) => "a list of skills",
        Document::Namespaces | Document::NamespaceList { .. } => "a list of namespaces",
        Document::Search | Document::SearchPage(_) | Document::FoundSkills(_) => "results of a search",
        Document::SearchManifest => "the manifest of the search index",
        Document::SearchPiece(_) => "a piece of the search index",
        Document::AgentSkill(_) | Document::AgentSkills(_) => "an index for npx skills",
        Document::Marketplace(_) => "a marketplace for Claude Code",
        Document::SkillMarkdown(_) => "a skill in Markdown",
        Document::LlmsTxt => "the text for agents",
        Document::Discovery => "where the API is",
        Document::OpenApi => "the description of the API",
        Document::Counters(_) => "published counters",
        Document::Settings => "the settings of the tree",
        Document::Feed(_) => "a page of the feed",
        Document::LogTile(tile) if tile.is_full() => "a full tile of the log",
        Document::LogTile(_) => "a partial tile of the log",
        Document::Checkpoint => "the checkpoint of the log",
        Document::EpochStatement => "the statement about the epoch",
        Document::RegistryKeys => "the keys of the registry",
        Document::Head => "the head of the feed",
        Document::Clawhub(_) => "a document for ClawHub clients",
        Document::Asset(_) => "files that pages load",
        Document::Page(_) => "a page",
    }
}

/// An example of every kind of document that differs in its path, type or lifetime. Empty if a name
/// in them were invalid; a test looks for every kind.
pub(super) fn examples() -> Vec<Document> {
    let Ok(c) = "namespace0--slug0".parse::<Coordinate>() else { return Vec::new() };
    let Ok(namespace) = "namespace0".parse::<Namespace>() else { return Vec::new() };
    let Ok(version) = "0.0.0-version0".parse::<Version>() else { return Vec::new() };
    let Ok(tag) = "tag0".parse::<TagName>() else { return Vec::new() };
    let list =
        SkillList { namespace: Some(namespace.clone()), sort: Sort::Updated, page: PAGE, size: DEFAULT_SIZE };
    let at_page = |q: &str| SearchPage { q: q.into(), page: 1, limit: DEFAULT_SIZE };
    let tile = |width| LogTile { level: Some(0), number: 0, width };
    let mut all = vec![
        Document::Package(c.clone(), version.clone()),
        Document::CompatPackage(c.clone(), Pointer::Version(version.clone())),
        Document::CompatPackage(c.clone(), Pointer::Tag(tag.clone())),
        Document::LatestPackage(c.clone()),
        Document::Version(c.clone(), version.clone()),
        Document::Files(c.clone(), version.clone()),
        Document::Proof(c.clone(), version),
        Document::Resolve(c.clone(), None),
        Document::Resolve(c.clone(), Some(Pointer::Tag(tag))),
        Document::CompatResolve(c.clone(), None),
        Document::Skill(c.clone()),
        Document::Versions(c.clone()),
        Document::Git(c.clone(), GitFile::Refs),
        Document::Git(c.clone(), GitFile::Pack),
        Document::Namespace(namespace.clone()),
        Document::Skills,
        Document::SkillList(SkillList { namespace: None, ..list.clone() }),
        Document::SkillList(list),
        Document::Namespaces,
        Document::NamespaceList { page: PAGE, size: DEFAULT_SIZE },
        Document::Search,
        Document::SearchPage(at_page("word0")),
        Document::KeywordList(KeywordList {
            keyword: "word0".into(),
            namespace: None,
            sort: None,
            page: 1,
            size: DEFAULT_SIZE,
        }),
        Document::SearchManifest,
        Document::SearchPiece(PieceName([0xee; 8])),
        Document::FoundSkills(FoundSkills { q: "word0".into(), owner: None, limit: DEFAULT_SIZE }),
        Document::AgentSkill(c.clone()),
        Document::AgentSkills(namespace.clone()),
        Document::Marketplace(None),
        Document::Marketplace(Some(namespace.clone())),
        Document::SkillMarkdown(c.clone()),
        Document::LlmsTxt,
        Document::Discovery,
        Document::OpenApi,
        Document::Counters(0),
        Document::Settings,
        Document::Feed(PAGE),
        Document::LogTile(tile(256)),
        Document::LogTile(tile(1)),
        Document::Checkpoint,
        Document::EpochStatement,
        Document::RegistryKeys,
        Document::Head,
        Document::Clawhub(ClawhubDocument::Skill(c.clone())),
        Document::Page(WebPage::Home),
        Document::Page(WebPage::Search),
        Document::Page(WebPage::Namespaces(PAGE)),
        Document::Page(WebPage::Namespace(namespace, PAGE)),
        Document::Page(WebPage::Skill(c)),
        Document::Page(WebPage::Missing),
    ];
    all.extend(ClawhubDocument::once().map(Document::Clawhub));
    all.extend(AssetPath::all().take(1).map(Document::Asset));
    all
}
