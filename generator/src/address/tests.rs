//! The book and its inverse agree, on every document and on noise.

use std::collections::HashMap;

use proptest::prelude::*;
use registry::public::Sort;

use super::*;

fn label() -> impl Strategy<Value = String> {
    "[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?"
}

fn parsed<T: std::str::FromStr + std::fmt::Debug>(
    texts: impl Strategy<Value = String>,
) -> impl Strategy<Value = T> {
    texts.prop_filter_map("not a name", |text| text.parse().ok())
}

fn coordinate() -> impl Strategy<Value = Coordinate> {
    let namespace = prop_oneof![Just("global".to_owned()), label()];
    (parsed(namespace), parsed(label())).prop_map(|(namespace, slug)| Coordinate::new(namespace, slug))
}

fn version() -> impl Strategy<Value = Version> {
    parsed("(0|[1-9][0-9]{0,3})\\.(0|[1-9][0-9]?)\\.(0|[1-9])(-[0-9A-Za-z-]{1,6}(\\.[A-Za-z]{1,4})?)?")
}

fn pointer() -> impl Strategy<Value = Pointer> {
    let tag = parsed("[a-z0-9][a-z0-9._-]{0,9}").prop_map(Pointer::Tag);
    prop_oneof![version().prop_map(Pointer::Version), tag, Just(Pointer::Tag(TagName::latest()))]
}

/// All numbers that a page can have.
fn page() -> impl Strategy<Value = u64> {
    prop_oneof![1..40u64, 1..1u64 << 53]
}

fn list() -> impl Strategy<Value = SkillList> {
    let namespace = proptest::option::of(parsed(label()));
    (namespace, proptest::sample::select(&Sort::ALL[..]), page(), 1..=100u64)
        .prop_map(|(namespace, sort, page, size)| SkillList { namespace, sort, page, size })
}

/// A query in its usual form; about half of them have a file.
fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9][a-z0-9-]{0,70}", "[a-z0-9äß日+&/.%_=-]{1,9}( [a-z0-9é]{1,9}){0,3}"]
        .prop_filter("no words", |text| !crate::search::Query::new(text).is_blank())
}

fn search_page() -> impl Strategy<Value = SearchPage> {
    (prop_oneof![words(), Just(String::new())], page(), 1..=100u64)
        .prop_map(|(q, page, limit)| SearchPage { q, page, limit })
        .prop_filter("has an address of its own", |page| *page != SearchPage::default_page())
}

fn keyword_list() -> impl Strategy<Value = KeywordList> {
    let namespace = proptest::option::of(parsed(label()));
    let sort = proptest::option::of(proptest::sample::select(&Sort::ALL[..]));
    (words(), namespace, sort, page(), 1..=100u64).prop_map(|(keyword, namespace, sort, page, size)| {
        KeywordList { keyword, namespace, sort, page, size }
    })
}

fn document() -> impl Strategy<Value = Document> {
    let optional = || proptest::option::of(pointer());
    let at = || (coordinate(), version());
    prop_oneof![
        at().prop_map(|(c, v)| Document::Package(c, v)),
        (coordinate(), pointer()).prop_map(|(c, p)| Document::CompatPackage(c, p)),
        coordinate().prop_map(Document::LatestPackage),
        at().prop_map(|(c, v)| Document::Version(c, v)),
        at().prop_map(|(c, v)| Document::Files(c, v)),
        (coordinate(), optional()).prop_map(|(c, p)| Document::Resolve(c, p)),
        (coordinate(), optional()).prop_map(|(c, p)| Document::CompatResolve(c, p)),
        coordinate().prop_map(Document::Skill),
        coordinate().prop_map(Document::Versions),
        parsed(label()).prop_map(Document::Namespace),
        Just(Document::Skills),
        list().prop_map(Document::SkillList),
        Just(Document::Namespaces),
        (page(), 1..=100u64).prop_map(|(page, size)| Document::NamespaceList { page, size }),
        Just(Document::Search),
        search_page().prop_map(Document::SearchPage),
        keyword_list().prop_map(Document::KeywordList),
        Just(Document::SearchManifest),
        any::<[u8; 8]>().prop_map(|name| Document::SearchPiece(crate::search::PieceName(name))),
        Just(Document::Discovery),
        Just(Document::OpenApi),
        any::<u8>().prop_map(Document::Counters),
        Just(Document::Settings),
        page().prop_map(Document::Feed),
        Just(Document::Head),
    ]
}

fn locate_url(url: &str) -> Option<Document> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    locate(path, query).unwrap()
}

proptest! {
    #[test]
    fn requests_and_files_lead_back(document in document()) {
        prop_assert_eq!(locate_url(&document.request()), Some(document.clone()));
        if let Some(file) = document.file() {
            prop_assert_eq!(locate_url(&format!("/{file}")), Some(document.clone()));
            prop_assert_eq!(of_file(&file), Some((document.clone(), Form::Plain)));
        }
        if let Some(file) = document.gzip_file() {
            prop_assert_eq!(locate_url(&format!("/{file}")), None);
            prop_assert_eq!(of_file(&file), Some((document, Form::Gzip)));
        }
    }

    #[test]
    fn no_two_documents_share_a_file(documents in proptest::collection::vec(document(), 1..60)) {
        let mut files = HashMap::new();
        for document in documents {
            // A file system that ignores case is a file system too.
            let Some(file) = document.file() else { continue };
            let other = files.insert(file.to_lowercase(), document.clone());
            let differs_by_case = |other: &Document| other.file() != document.file();
            prop_assert!(other.is_none_or(|other| other == document || differs_by_case(&other)));
        }
    }

    #[test]
    fn no_file_is_the_folder_of_another(a in document(), b in document()) {
        if let (Some(a), Some(b)) = (a.file(), b.file()) {
            prop_assert!(!b.starts_with(&(a + "/")));
        }
    }

    #[test]
    fn noise_is_answered(path in "(/[a-z0-9._%-]{0,9}){0,7}", query in "[a-z=&+%0-9]{0,20}") {
        if let Ok(Some(document)) = locate(&path, &query) {
            prop_assert!(path.starts_with("/api/v1/") || document == Document::Discovery);
        }
    }

    #[test]
    fn whatever_is_found_by_its_path_has_that_path(path in "/api/v1/[a-z]{4,10}(/[_a-z0-9.-]{1,9}){0,4}") {
        if let Ok(Some(document)) = locate(&path, "") {
            let own = format!("/{}", document.name());
            prop_assert!(own.starts_with(&path) || path.contains("global--"), "{path} {own}");
        }
    }
}

#[test]
fn settled_addresses() {
    let file = |url: &str| locate_url(url).map(|document| document.name());
    for (url, expected) in [
        ("/api/v1/skills", "api/v1/skills.json"),
        ("/api/v1/skills?sort=updated&page=1&size=20&namespace=&utm=1", "api/v1/skills.json"),
        ("/api/v1/skills?sort=stars&page=2", "api/v1/skills/_list/_all/stars/20/2.json"),
        ("/api/v1/skills?namespace=team", "api/v1/skills/_list/team/updated/20/1.json"),
        ("/api/v1/skills/team/x/resolve?version=1.0.0", "api/v1/skills/team/x/resolve/_version/1.0.0.json"),
        ("/api/v1/skills/team/x/resolve?tag=beta", "api/v1/skills/team/x/resolve/_tag/beta.json"),
        ("/api/v1/skills/team/x/resolve?version=&tag=", "api/v1/skills/team/x/resolve.json"),
        ("/api/v1/skills/team/x/download", "api/v1/skills/team/x/download.zip"),
        ("/api/v1/resolve?slug=global--x", "api/v1/resolve/x.json"),
        ("/api/v1/resolve?slug=team--x&version=latest", "api/v1/resolve/team--x/latest.json"),
        ("/api/v1/download/x/1.0.0", "api/v1/download/x/1.0.0.zip"),
        ("/api/v1/namespaces?page=2", "api/v1/namespaces/_list/20/2.json"),
        ("/api/v1/mirror/counters/0a.json", "api/v1/mirror/counters/0a.json"),
        ("/.well-known/registry.json", ".well-known/registry.json"),
        ("/api/v1/search", "api/v1/search.json"),
        ("/api/v1/search?q=+-+&page=1&limit=20", "api/v1/search.json"),
        ("/api/v1/search?q=%20PDF-Tools+&page=2&limit=7", "api/v1/search/_q/pdf-tools/7/2.json"),
        ("/api/v1/search/_q/pdf/20/1", "api/v1/search/_q/pdf/20/1.json"),
        ("/api/v1/search?q=two+words", "/api/v1/search?q=two+words&page=1&limit=20"),
        ("/api/v1/search?q=&page=2", "/api/v1/search?q=&page=2&limit=20"),
        ("/api/v1/search/_index/manifest.bin", "api/v1/search/_index/manifest.bin"),
        ("/api/v1/search/_index/00ff00ff00ff00ff.bin", "api/v1/search/_index/00ff00ff00ff00ff.bin"),
        ("/api/v1/skills?keyword=+Greet", "/api/v1/skills?keyword=greet&page=1&size=20"),
        (
            "/api/v1/skills?keyword=%C3%84&sort=name&namespace=team",
            "/api/v1/skills?keyword=%C3%A4&namespace=team&sort=name&page=1&size=20",
        ),
        ("/api/v1/skills?keyword=%20", "api/v1/skills.json"),
        ("/api/v1/openapi.json", "api/v1/openapi.json"),
    ] {
        assert_eq!(file(url).as_deref(), Some(expected), "{url}");
    }
    for absent in [
        "/",
        "",
        "/api/v1/skills/",
        "/api/v1/skills/team",
        "/api/v1/skills/team/x/",
        "/api/v1/mirror/head",
        "/api/v1/skills/team/x.zip",
        "/api/v1/skills/_list/_all/updated/20/01",
        // A page that no query can ask for.
        "/api/v1/skills/_list/_all/updated/20/9007199254740992.json",
        "/api/v1/namespaces/_list/20/18446744073709551615",
        "/api/v1/mirror/counters/A0.json",
        "/api/v1/resolve/global--x.json",
        "/api/v1/skills/team/x/resolve?version=banana",
        "/.well-known/registry",
        "/api/v1/search/_index/manifest",
        "/api/v1/search/_index/manifest.json",
        "/api/v1/search/_index/00FF00ff00ff00ff.bin",
        "/api/v1/search/_index/0ff.bin",
        "/api/v1/search/_q/PDF/20/1.json",
        "/api/v1/search/_q/two words/20/1.json",
        "/api/v1/search/_q/pdf/101/1.json",
        "/api/v1/search/_q/pdf/20/0.json",
        "/api/v1/search.bin",
        "/api/v1/openapi",
        "/api/v1/mirror/changes/0.json",
        "/api/v1/skills/team/x/versions/1.0.0.json/files",
    ] {
        assert_eq!(file(absent), None, "{absent}");
    }
    for (path, query) in [
        ("/api/v1/skills", "page=0"),
        ("/api/v1/skills", "size=101"),
        ("/api/v1/skills", "sort=best"),
        ("/api/v1/skills", "keyword=x&sort=best"),
        ("/api/v1/search", "q=x&limit=101"),
        ("/api/v1/search", "q=x&page=0"),
        ("/api/v1/skills", "page=x"),
        ("/api/v1/resolve", ""),
        ("/api/v1/skills/a/b/resolve", "version=1.0.0&tag=a"),
    ] {
        assert!(locate(path, query).is_err(), "{path}?{query}");
    }
    let long = |length: usize| format!("q={}", "ä".repeat(length));
    assert!(locate("/api/v1/search", &long(200)).is_ok());
    assert!(locate("/api/v1/search", &long(201)).is_err());
}
