//! The rules and the table agree on every document and on random queries.

use proptest::prelude::*;
use regex::Regex;

use super::*;
use crate::address::tests::document;
use crate::address::{ClawhubDocument, Document, Lifetime, SkillList, locate, of_file};

/// A host that follows the rules.
struct Follower {
    rules: Rules,
    immutable: Regex,
    bare: Vec<(&'static str, Regex)>,
    with_query: Regex,
}

fn whole(expressions: impl IntoIterator<Item = String>) -> Regex {
    let alternatives: Vec<String> = expressions.into_iter().collect();
    Regex::new(&format!("^(?:{})$", alternatives.join("|"))).unwrap()
}

impl Follower {
    fn new() -> Self {
        let rules = Rules::new(false, false);
        let immutable = whole(rules.immutable.iter().map(|kind| kind.path.clone()));
        let paths = |bare: &rules::Bare| whole(bare.paths.iter().map(|kind| kind.path.clone()));
        let bare = rules.bare.iter().map(|each| (each.full, paths(each))).collect();
        let with_query = whole([rules.with_query.clone()]);
        Self { rules, immutable, bare, with_query }
    }

    /// The files that the host tries for a request, as paths in the tree.
    fn files(&self, path: &str, query: &str) -> Vec<String> {
        let relative = &path[1..];
        if self.with_query.is_match(path) && !query.is_empty() {
            return self.of_query(path, query).into_iter().collect();
        }
        ["", ".json", ".zip", "/index.html", "index.html"].map(|end| format!("{relative}{end}")).into()
    }

    /// The file for a query, if the query has plain values of known parameters only.
    fn of_query(&self, path: &str, query: &str) -> Option<String> {
        let rule = self.rules.queries.iter().find(|rule| whole([rule.path.into()]).is_match(path))?;
        let names: Vec<&str> = rule.parameters.iter().map(|parameter| parameter.name).collect();
        let plain = format!("^(?:(?:{})={}(?:&|$))+$", names.join("|"), self.rules.plain);
        if !Regex::new(&plain).unwrap().is_match(query) {
            return None;
        }
        let mut file = rule.file.replace("{path}", path);
        for parameter in &rule.parameters {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let value = pairs.find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
            let text = match (value, parameter.before) {
                (None, _) => parameter.default.to_owned(),
                (Some(value), _) if !whole([parameter.values.clone()]).is_match(value) => return None,
                (Some(_), None) => String::new(),
                (Some(value), Some(before)) => format!("{before}{value}"),
            };
            file = file.replace(&format!("{{{}}}", parameter.name), &text);
        }
        Some(file[1..].to_owned())
    }

    fn lifetime(&self, path: &str) -> Lifetime {
        if self.immutable.is_match(path) { Lifetime::Immutable } else { Lifetime::Short }
    }

    fn content_type(&self, file: &str) -> Option<&'static str> {
        let path = format!("/{file}");
        let bare = self.bare.iter().find(|(_, paths)| paths.is_match(&path)).map(|(kind, _)| *kind);
        let by_suffix = || {
            let (_, suffix) = file.rsplit_once('.')?;
            self.rules.types.iter().find(|kind| kind.suffix == suffix).map(|kind| kind.full)
        };
        bare.or_else(by_suffix)
    }
}

thread_local! {
    static FOLLOWER: Follower = Follower::new();
}

#[test]
fn every_value_in_a_path_has_an_expression() {
    let rules = Rules::new(false, false);
    let bare = rules.bare.iter().flat_map(|each| &each.paths);
    for path in rules.immutable.iter().chain(&rules.packages).chain(bare) {
        assert!(!path.path.contains("{}"), "{}", path.path);
    }
}

/// Queries of known and unknown parameters with plain and other values.
fn query() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(&[
        "namespace",
        "sort",
        "page",
        "size",
        "q",
        "limit",
        "tag",
        "slug",
        "version",
        "keyword",
        "owner",
        "Page",
        "p%61ge",
        "x",
    ]);
    let value = proptest::sample::select(&[
        "",
        "1",
        "2",
        "02",
        "0",
        "20",
        "7",
        "name",
        "stars",
        "Stars",
        "tools",
        "pdf",
        "PDF",
        "p%64f",
        "two+words",
        "stable",
        "latest",
        "next.js",
        "..",
        "%2e%2e",
        "../x",
        "tools--hello",
        "1.0.0",
        "-",
        "99999999999999999999",
    ]);
    let pair = (name, value).prop_map(|(name, value)| format!("{name}={value}"));
    proptest::collection::vec(pair, 1..5).prop_map(|pairs| pairs.join("&"))
}

fn path_with_query() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&[
        "/api/v1/skills",
        "/api/v1/namespaces",
        "/api/v1/search",
        "/api/search",
        "/api/v1/skills/tools/hello/resolve",
        "/api/v1/resolve",
        "/clawhub/api/v1/download",
    ])
}

proptest! {
    #[test]
    fn hosts_find_the_file_of_every_document(document in document()) {
        let Some(file) = document.file() else { return Ok(()) };
        let request = document.request();
        let (path, query) = request.split_once('?').unwrap_or((&request, ""));
        FOLLOWER.with(|host| {
            let files = host.files(path, query);
            prop_assert!(files.contains(&file), "{request}: {files:?}");
            for other in files.iter().filter(|other| **other != file) {
                prop_assert_eq!(of_file(other), None, "{}", request);
            }
            // A host may ask for either name.
            for path in [path.to_owned(), format!("/{file}")] {
                prop_assert_eq!(host.lifetime(&path), document.lifetime(), "{}", path);
            }
            if !matches!(document, Document::Git(..)) {
                prop_assert_eq!(host.content_type(&file), Some(document.format().content_type()), "{}", file);
            }
            Ok(())
        })?;
    }

    #[test]
    fn file_of_a_query_is_what_the_server_answers(path in path_with_query(), query in query()) {
        let found = FOLLOWER.with(|host| host.of_query(path, &query)).and_then(|file| of_file(&file));
        if let Some((found, _)) = found {
            let package = ClawhubDocument::package(path, &query);
            let expected = package.or_else(|| locate(path, &query).ok().flatten());
            // Both names of the first list have the same bytes.
            let is_first = found == Document::SkillList(SkillList::default_page()) && expected == Some(Document::Skills);
            let is_first_of = found == Document::NamespaceList { page: 1, size: 20 } && expected == Some(Document::Namespaces);
            prop_assert!(is_first || is_first_of || expected == Some(found), "{path}?{query}");
        }
    }
}

fn options() -> HostOptions {
    HostOptions {
        root: "/srv/skillmirror/public".into(),
        server_name: "skills.example.org".into(),
        files_url: None,
        base_path: String::new(),
        tls: None,
        http2: None,
        origin: None,
        read_keys: None,
        key_in_path: false,
        private: None,
        is_private_namespace: false,
        git: true,
        max_body: 51,
    }
}

#[test]
fn every_configuration_is_made() {
    let tls = TlsFiles { certificate: "/c.pem".into(), key: "/k.pem".into() };
    let all = HostOptions {
        base_path: "/skills".into(),
        tls: Some(tls),
        origin: Some("http://127.0.0.1:8080".into()),
        ..options()
    };
    for host in Host::ALL {
        for options in [&options(), &all] {
            let files = configuration(host, options).unwrap();
            for ConfigurationFile { path, text } in files {
                assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{path}: {text}");
            }
        }
    }
}
