//! Addresses and their inverse agree on every document and on random requests.

mod names;
mod stability;

use std::collections::HashMap;

use proptest::prelude::*;
use registry::names::{Coordinate, Namespace};
use registry::public::Sort;

use self::names::{coordinate, is_outside_the_api, label, parsed, pointer, version};
use super::*;
use crate::documents::{Subject, kind::Each, kinds};
use crate::pages::assets::{AssetPath, names};

/// All possible page numbers.
fn page() -> impl Strategy<Value = u64> {
    prop_oneof![1..40u64, 1..1u64 << 53]
}

fn list() -> impl Strategy<Value = SkillList> {
    let namespace = proptest::option::of(parsed(label()));
    (namespace, proptest::sample::select(&Sort::ALL[..]), page(), 1..=100u64)
        .prop_map(|(namespace, sort, page, size)| SkillList { namespace, sort, page, size })
}

/// A normalized query; about half of them have a file.
fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9][a-z0-9-]{0,70}", "[a-z0-9äß日+&/.%_=-]{1,9}( [a-z0-9é]{1,9}){0,3}"]
        .prop_filter("no words", |text| !crate::search::Query::new(text).is_blank())
}

fn search_page() -> impl Strategy<Value = SearchPage> {
    (prop_oneof![words(), Just(String::new())], page(), 1..=100u64)
        .prop_map(|(q, page, limit)| SearchPage { q, page, limit })
        .prop_filter("has an address of its own", |page| *page != SearchPage::default_page())
}

fn found_skills() -> impl Strategy<Value = FoundSkills> {
    let owner = proptest::option::of(parsed(label()));
    (prop_oneof![words(), Just(String::new())], owner, 1..=100u64).prop_map(|(q, owner, limit)| FoundSkills {
        q,
        owner,
        limit,
    })
}

fn keyword_list() -> impl Strategy<Value = KeywordList> {
    let namespace = proptest::option::of(parsed(label()));
    let sort = proptest::option::of(proptest::sample::select(&Sort::ALL[..]));
    (words(), namespace, sort, page(), 1..=100u64).prop_map(|(keyword, namespace, sort, page, size)| {
        KeywordList { keyword, namespace, sort, page, size }
    })
}

fn web_page() -> impl Strategy<Value = WebPage> {
    let namespace = || parsed(prop_oneof![Just("global".to_owned()), label()]);
    prop_oneof![
        Just(WebPage::Home),
        Just(WebPage::Search),
        proptest::sample::select(&SignedInPage::ALL[..]).prop_map(WebPage::SignedIn),
        page().prop_map(WebPage::Namespaces),
        namespace().prop_map(WebPage::Namespace),
        (namespace(), parsed("[a-z0-9][a-z0-9-]{0,9}"))
            .prop_map(|(name, prefix)| WebPage::Group(name, prefix)),
        proptest::sample::select(&Sort::ALL[..]).prop_map(WebPage::Skills),
        Just(WebPage::Keywords),
        Just(WebPage::Help),
        Just(WebPage::About),
        Just(WebPage::Api),
        coordinate().prop_map(WebPage::Skill),
        (coordinate(), version()).prop_map(|(c, version)| WebPage::Version(c, version)),
        Just(WebPage::Missing),
    ]
}

fn log_tile() -> impl Strategy<Value = LogTile> {
    (proptest::option::of(0..8u8), 0..1u64 << 40, 1..=256u64).prop_map(|(level, number, width)| LogTile {
        level,
        number,
        width,
    })
}

fn asset() -> impl Strategy<Value = AssetPath> {
    (any::<u64>(), proptest::sample::select(names().collect::<Vec<_>>()))
        .prop_map(|(folder, name)| AssetPath { folder, name })
}

/// Documents of all kinds that a subject has one of.
fn of_subject() -> impl Strategy<Value = Document> {
    let kinds: Vec<_> = kinds().filter(|kind| !matches!(kind.each, Each::Asked | Each::Values(_))).collect();
    let names = (coordinate(), version(), pointer(), parsed::<Namespace>(label()), "[a-z0-9]{1,9}");
    (proptest::sample::select(kinds), names).prop_filter_map("another subject", |(kind, names)| {
        let (c, version, pointer, name, word) = &names;
        let tag = match pointer {
            Pointer::Tag(tag) => Subject::Tag(c, tag),
            Pointer::Version(_) => Subject::Registry,
        };
        let own = [Subject::Skill(c), Subject::Version(c, version), tag, Subject::Namespace(name)];
        own.into_iter().chain([Subject::Query(word), Subject::Registry]).find_map(|of| kind.of(of))
    })
}

pub(crate) fn document() -> impl Strategy<Value = Document> {
    let optional = || proptest::option::of(pointer());
    prop_oneof![
        10 => of_subject(),
        1 => (coordinate(), optional()).prop_map(|(c, p)| Document::Resolve(c, p)),
        1 => (coordinate(), optional()).prop_map(|(c, p)| Document::CompatResolve(c, p)),
        1 => list().prop_map(Document::SkillList),
        1 => (page(), 1..=100u64).prop_map(|(page, size)| Document::NamespaceList { page, size }),
        1 => search_page().prop_map(Document::SearchPage),
        1 => keyword_list().prop_map(Document::KeywordList),
        1 => found_skills().prop_map(Document::FoundSkills),
        1 => any::<[u8; 8]>().prop_map(|name| Document::SearchPiece(crate::search::PieceName(name))),
        1 => any::<u8>().prop_map(Document::Counters),
        1 => page().prop_map(Document::Feed),
        1 => log_tile().prop_map(Document::LogTile),
        1 => asset().prop_map(Document::Asset),
        5 => web_page().prop_map(Document::Page),
    ]
}

/// Path and query of a request for a document, often with another character in its path.
fn near_request() -> impl Strategy<Value = (String, String)> {
    let change = proptest::option::of((any::<prop::sample::Index>(), "[a-z0-9./_%-]"));
    (document(), change).prop_map(|(document, change)| {
        let request = document.request();
        let (path, query) = request.split_once('?').unwrap_or((&request, ""));
        let mut path = path.to_owned();
        if let Some((at, character)) = change {
            let at = at.index(path.len());
            path.replace_range(at..=at, &character);
        }
        (path, query.to_owned())
    })
}

fn locate_url(url: &str) -> Option<Document> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    locate(path, query).unwrap()
}

#[test]
fn every_kind_says_what_it_is() {
    for kind in kinds() {
        assert!(
            !kind.about.is_empty() && kind.file.ends_with(kind.hidden) | kind.file.is_empty(),
            "{}",
            kind.file
        );
    }
}

/// Servers render what may lag for each request while the tree is behind, so pages of the site and long lists must not.
#[test]
fn documents_that_no_row_outdates_and_sitemaps_do_not_lag() {
    let once = kinds().filter(|kind| matches!(kind.each, Each::Once(_)) && kind.outdated_by.is_empty());
    let sitemap = locate_url("/sitemap/t.xml").unwrap();
    for kind in once.chain([sitemap.kind(), locate_url("/sitemap.xml").unwrap().kind()]) {
        assert!(!kind.may_lag, "{}", kind.file);
    }
}

proptest! {
    #[test]
    fn table_has_the_kind_of_a_document(document in document()) {
        prop_assert!(kinds().any(|kind| std::ptr::eq(kind, document.kind())), "{document:?}");
    }

    #[test]
    fn request_is_located(document in document()) {
        prop_assert_eq!(locate_url(&document.request()), Some(document));
    }

    #[test]
    fn file_is_located_and_recognised(document in document()) {
        let file = document.file();
        prop_assume!(file.is_some());
        let file = file.unwrap();
        prop_assert_eq!(locate_url(&format!("/{file}")), Some(document.clone()));
        prop_assert_eq!(of_file(&file), Some((document, Form::Plain)));
    }

    #[test]
    fn gzip_file_is_recognised_but_not_located(document in document()) {
        let file = document.gzip_file();
        prop_assume!(file.is_some());
        let file = file.unwrap();
        prop_assert_eq!(locate_url(&format!("/{file}")), None);
        prop_assert_eq!(of_file(&file), Some((document, Form::Gzip)));
    }

    #[test]
    fn no_two_documents_share_a_file(documents in proptest::collection::vec(document(), 1..60)) {
        let mut files = HashMap::new();
        for document in documents {
            // Some file systems ignore case.
            let Some(file) = document.file() else { continue };
            let other = files.insert(file.to_lowercase(), document.clone());
            let differs_by_case = |other: &Document| other.file() != document.file();
            prop_assert!(other.is_none_or(|other| other == document || differs_by_case(&other)));
        }
    }

    #[test]
    fn no_file_is_the_folder_of_another(a in document(), b in document()) {
        let (a, b) = (a.file(), b.file());
        prop_assume!(a.is_some() && b.is_some());
        prop_assert!(!b.unwrap().starts_with(&(a.unwrap() + "/")));
    }

    #[test]
    fn api_paths_are_those_of_the_api_documents((path, query) in near_request()) {
        let document = locate(&path, &query);
        prop_assume!(matches!(document, Ok(Some(_))));
        let is_outside = is_outside_the_api(&document.unwrap().unwrap());
        prop_assert_eq!(is_outside, !path.starts_with("/api/v1/"), "{}", path);
    }

    #[test]
    fn no_namespace_collides_with_a_folder_of_the_root(document in document()) {
        let file = document.file().unwrap_or_default();
        let first = file.split('/').next().unwrap_or_default();
        match document {
            Document::Page(
                WebPage::Namespace(name)
                | WebPage::Group(name, _)
                | WebPage::Skill(Coordinate { namespace: name, .. })
                | WebPage::Version(Coordinate { namespace: name, .. }, _),
            )
            | Document::AgentSkill(Coordinate { namespace: name, .. })
            | Document::EntryFile(Coordinate { namespace: name, .. })
            | Document::RawSkill(Coordinate { namespace: name, .. })
            | Document::Atom(
                AtomFeed::Namespace(name) | AtomFeed::Skill(Coordinate { namespace: name, .. }),
            )
            | Document::RawSkills(name)
            | Document::SkillMarkdown(Coordinate { namespace: name, .. })
            | Document::AgentSkills(name)
            | Document::Marketplace(Some(name)) => {
                prop_assert_eq!(first, name.as_str());
            }
            Document::Git(RepositoryName::Skill(c), _) => prop_assert_eq!(first, c.namespace.as_str()),
            Document::Git(RepositoryName::Namespace(name), _) => {
                prop_assert_eq!(first, format!("{name}.git"));
            }
            _ => prop_assert!(first.parse::<Namespace>().is_err(), "{}", first),
        }
    }

    #[test]
    fn root_of_a_page_is_one_step_per_folder(page in web_page()) {
        let request = Document::Page(page.clone()).request();
        let steps = page.root().matches("../").count();
        prop_assert_eq!(steps, request.matches('/').count() - 1);
    }

    #[test]
    fn page_without_its_slash_is_redirected(page in web_page()) {
        let document = Document::Page(page);
        let request = document.request();
        let path = request.strip_suffix('/').filter(|path| !path.is_empty());
        prop_assume!(path.is_some());
        let path = path.unwrap();
        let (page, location) = lacks_slash(path).unwrap();
        prop_assert_eq!(&page, &document);
        let folder = &path[..=path.rfind('/').unwrap()];
        prop_assert_eq!(format!("{folder}{location}"), request.clone());
        prop_assert_eq!(locate(path, "").unwrap(), None);
    }

    #[test]
    fn request_of_a_document_is_not_redirected(document in document()) {
        prop_assert_eq!(lacks_slash(document.request().split('?').next().unwrap()), None);
    }

    #[test]
    fn document_found_by_its_path_has_that_path((path, _) in near_request()) {
        let document = locate(&path, "");
        prop_assume!(path.starts_with("/api/v1/") && matches!(document, Ok(Some(_))));
        let own = format!("/{}", document.unwrap().unwrap().name());
        prop_assert!(own.starts_with(&path) || path.contains("global--"), "{path} {own}");
    }
}
