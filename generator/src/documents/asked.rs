//! Questions: requests whose parameters say which document they ask for.

use ::registry::names::{Coordinate, Namespace};
use ::registry::public::Sort;

use super::{
    ClawhubDocument, Document, FoundSkills, GitFile, KeywordList, Pointer, SearchPage, SkillList, Subject,
    WebPage, git,
};
use crate::address::{DEFAULT_SIZE, MAX_PAGES, QueryError, choice, number, paging, parameter, parsed, words};
use crate::search::Query;

/// What a question asks for.
type Asked = Result<Option<Document>, QueryError>;

/// A path that takes parameters.
pub(crate) struct Question {
    /// The path, with `{name}` for values.
    pub path: &'static str,
    /// Finds the document, from the values of the path and the query.
    pub ask: fn(&[&str], &str) -> Asked,
}

/// All questions. Hosts answer those that files answer by `hosts/queries.rs`.
pub(crate) static QUESTIONS: [Question; 9] = [
    Question { path: "api/v1/skills", ask: |_, query| skill_list(query).map(Some) },
    Question { path: "api/v1/skills/{namespace}/{slug}/resolve", ask: resolve },
    Question { path: "api/v1/namespaces", ask: |_, query| namespace_list(query).map(Some) },
    Question { path: "api/v1/search", ask: |_, query| search(query).map(Some) },
    Question { path: "search/", ask: |_, query| Ok(Some(search_page(query))) },
    Question { path: "api/v1/resolve", ask: |_, query| compat_resolve(query) },
    Question { path: "api/search", ask: |_, query| found_skills(query).map(Some) },
    Question { path: "clawhub/api/v1/skills", ask: |_, query| Ok(clawhub_list(query)) },
    Question { path: "clawhub/api/v1/skills/{skill}", ask: |values, query| Ok(clawhub_skill(values, query)) },
];

impl Document {
    /// The path and query that request it, if it has a query.
    pub(crate) fn question(&self) -> Option<String> {
        let resolve = |c: &Coordinate| format!("/api/v1/skills/{}/{}/resolve", c.namespace, c.slug);
        Some(match self {
            Self::Resolve(c, Some(Pointer::Version(version))) => format!("{}?version={version}", resolve(c)),
            Self::Resolve(c, Some(Pointer::Tag(tag))) => format!("{}?tag={tag}", resolve(c)),
            Self::CompatResolve(c, None) => format!("/api/v1/resolve?slug={c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("/api/v1/resolve?slug={c}&version={pointer}"),
            // Their paths: the questions ask for `Document::Skills` and `Document::Namespaces`.
            Self::SkillList(list) if *list == SkillList::default_page() => return None,
            Self::NamespaceList { page: 1, size: DEFAULT_SIZE } => return None,
            Self::SkillList(SkillList { namespace, sort, page, size }) => {
                let namespace = namespace_parameter(namespace.as_ref());
                format!("/api/v1/skills?{namespace}sort={}&page={page}&size={size}", sort.as_str())
            }
            Self::KeywordList(KeywordList { keyword, namespace, sort, page, size }) => {
                let (keyword, namespace) = (encode(keyword), namespace_parameter(namespace.as_ref()));
                let sort = sort.map(|sort| format!("sort={}&", sort.as_str())).unwrap_or_default();
                format!("/api/v1/skills?keyword={keyword}&{namespace}{sort}page={page}&size={size}")
            }
            Self::NamespaceList { page, size } => format!("/api/v1/namespaces?page={page}&size={size}"),
            Self::SearchPage(SearchPage { q, page, limit }) => {
                format!("/api/v1/search?q={}&page={page}&limit={limit}", encode(q))
            }
            Self::FoundSkills(FoundSkills { q, owner, limit }) => {
                let owner = owner.as_ref().map(|owner| format!("&owner={owner}")).unwrap_or_default();
                format!("/api/search?q={}&limit={limit}{owner}", encode(q))
            }
            Self::Page(WebPage::Found(KeywordList { keyword, namespace, sort, page, .. })) => {
                let (keyword, namespace) = (encode(keyword), namespace_parameter(namespace.as_ref()));
                let sort = sort.map(|sort| format!("sort={}&", sort.as_str())).unwrap_or_default();
                format!("/search/?q={keyword}&{namespace}{sort}page={page}")
            }
            Self::Git(_, GitFile::Refs) => format!("/{}{}", self.file()?, git::SERVICE),
            _ => return None,
        })
    }
}

/// The query's `namespace` parameter.
fn namespace_parameter(namespace: Option<&Namespace>) -> String {
    namespace.map(|name| format!("namespace={name}&")).unwrap_or_default()
}

/// Encodes a value of a query like a form.
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

fn skill_list(query: &str) -> Result<Document, QueryError> {
    let sort = parsed(query, "sort")?;
    let (page, size) = paging(query)?;
    let namespace = parsed(query, "namespace")?;
    if let Some(keyword) = words(query, "keyword")? {
        return Ok(Document::KeywordList(KeywordList { keyword, namespace, sort, page, size }));
    }
    let sort = sort.unwrap_or(Sort::Updated);
    let list = SkillList { namespace, sort, page, size };
    Ok(if list == SkillList::default_page() { Document::Skills } else { Document::SkillList(list) })
}

fn namespace_list(query: &str) -> Result<Document, QueryError> {
    let (page, size) = paging(query)?;
    let is_default = (page, size) == (1, DEFAULT_SIZE);
    Ok(if is_default { Document::Namespaces } else { Document::NamespaceList { page, size } })
}

fn search(query: &str) -> Result<Document, QueryError> {
    let q = words(query, "q")?.unwrap_or_default();
    let page = number(query, "page", 1, MAX_PAGES)?;
    let limit = number(query, "limit", DEFAULT_SIZE, 100)?;
    let page = SearchPage { q, page, limit };
    Ok(if page == SearchPage::default_page() { Document::Search } else { Document::SearchPage(page) })
}

/// People write these addresses, so what is wrong in one is left out. A long query is cut where it is answered.
fn search_page(query: &str) -> Document {
    let keyword = parameter(query, "q").map(|text| text.trim().to_lowercase()).unwrap_or_default();
    if Query::new(&keyword).is_blank() {
        return Document::Page(WebPage::Search);
    }
    let page = number(query, "page", 1, MAX_PAGES).unwrap_or(1);
    let (namespace, sort) = (parsed(query, "namespace").ok().flatten(), parsed(query, "sort").ok().flatten());
    Document::Page(WebPage::Found(KeywordList { keyword, namespace, sort, page, size: DEFAULT_SIZE }))
}

fn found_skills(query: &str) -> Result<Document, QueryError> {
    let q = words(query, "q")?.unwrap_or_default();
    let limit = number(query, "limit", DEFAULT_SIZE, 100)?;
    Ok(Document::FoundSkills(FoundSkills { q, owner: parsed(query, "owner")?, limit }))
}

fn resolve(skill: &[&str], query: &str) -> Asked {
    let Some(latest) = super::skill::LATEST.at(skill) else { return Ok(None) };
    let asked = match (choice(query, "version")?, choice(query, "tag")?) {
        (Some(_), Some(_)) => {
            return Err(QueryError { field: "tag", message: "give a version or a tag, not both".into() });
        }
        (None, None) => return Ok(Some(latest)),
        (Some(version), None) => version.parse().map(Pointer::Version).ok(),
        (None, Some(tag)) => tag.parse().map(Pointer::Tag).ok(),
    };
    let (_, Subject::Skill(c)) = latest.kind_and_subject() else { return Ok(None) };
    Ok(asked.map(|asked| Document::Resolve(c.clone(), Some(asked))))
}

fn compat_resolve(query: &str) -> Asked {
    let Some(slug) = parameter(query, "slug") else {
        let message = "it must name the skill, for example ?slug=hello".into();
        return Err(QueryError { field: "slug", message });
    };
    let Ok(skill) = slug.parse() else { return Ok(None) };
    Ok(match choice(query, "version")? {
        None => Some(Document::CompatResolve(skill, None)),
        Some(asked) => Pointer::parse(&asked).map(|asked| Document::CompatResolve(skill, Some(asked))),
    })
}

/// `None` for questions that have no document.
fn clawhub_list(query: &str) -> Option<Document> {
    let is_plain = is_without(query, &["limit", "sort", "prefix", "cursor"]);
    is_plain.then_some(Document::Clawhub(ClawhubDocument::Skills(Sort::Updated)))
}

fn clawhub_skill(skill: &[&str], query: &str) -> Option<Document> {
    is_without(query, &["ownerHandle"]).then(|| super::clawhub::SKILL.at(skill))?
}

fn is_without(query: &str, names: &[&str]) -> bool {
    names.iter().all(|name| parameter(query, name).is_none())
}
