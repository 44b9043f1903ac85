//! Which skills are found, and in which order.

use generator::search::{Query, SharedIndex};
use registry::public::{Counters, Id, NamespaceStatus};

use crate::shelf::{Shelf, Text};

/// The canonical slugs of the found skills, best first.
fn found(shelf: &Shelf, query: &str, namespace: Option<&str>) -> Vec<String> {
    let shared = SharedIndex::default();
    let index = shared.current(&shelf.catalog);
    let namespace = namespace.map(|name| name.parse().unwrap());
    let found = index.find(&Query::new(query), namespace.as_ref()).unwrap();
    found.hits.iter().map(|hit| found.card(hit).unwrap().slug.to_owned()).collect()
}

fn shelf() -> Shelf {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    for text in [
        Text::new("pdf-tools", "Split and merge documents."),
        Text::new("pdf", "Read them."),
        Text { keywords: vec!["pdf".into()], ..Text::new("paper", "Print on paper.") },
        Text::new("office", "Converts letters, tables and PDF files for an office."),
        Text { headings: vec!["How PDF is read".into()], ..Text::new("reader", "Reads books aloud.") },
        Text::new("kubernetes-helper", "Deploys clusters."),
        Text {
            name: "クラスタ管理".into(), ..Text::new("cluster", "机器学习平台的集群管理工具")
        },
        Text::new("pdf-tools", "Ours.").of("acme"),
        Text { name: "Résumé Écrit".into(), ..Text::new("cv", "Writes applications.") },
        Text::new("to-do", "Lists."),
    ] {
        shelf.publish(&text, "1.0.0");
    }
    shelf
}

#[test]
fn exact_names_come_first_and_then_larger_scores() {
    let shelf = shelf();
    assert_eq!(
        found(&shelf, "pdf", None),
        ["pdf", "pdf-tools", "acme--pdf-tools", "paper", "office", "reader"]
    );
    assert_eq!(found(&shelf, "PDF tools", None)[..2], ["pdf-tools", "acme--pdf-tools"]);
    assert_eq!(found(&shelf, "pdf-tools", None)[..2], ["pdf-tools", "acme--pdf-tools"]);
    assert_eq!(found(&shelf, "resume ecrit", None), ["cv"]);
    assert_eq!(found(&shelf, "to do", None), ["to-do"]);
    assert_eq!(found(&shelf, "pdf office", None)[..2], ["office", "pdf"]);
}

#[test]
fn query_in_a_namespace_finds_only_its_skills() {
    let shelf = shelf();
    assert_eq!(found(&shelf, "pdf", Some("acme")), ["acme--pdf-tools"]);
    assert_eq!(found(&shelf, "cluster", Some("acme")), Vec::<String>::new());
    assert_eq!(found(&shelf, "pdf tools", Some("global"))[..2], ["pdf-tools", "pdf"]);
    assert!(!found(&shelf, "pdf tools", Some("global")).contains(&"acme--pdf-tools".to_owned()));
}

#[test]
fn words_of_texts_count_in_long_queries_alone() {
    let mut shelf = Shelf::new();
    // These names mean nothing.
    let texts = [("qqa", ""), ("qqb", "receipts"), ("qqc", "photos receipts"), ("qqd", "unseen")];
    for (slug, body) in texts {
        let body_words = body.split_whitespace().map(str::to_owned).collect();
        let description = if slug == "qqd" { "Sings." } else { "Sorts files by date." };
        shelf.publish(&Text { body_words, ..Text::new(slug, description) }, "1.0.0");
    }
    assert_eq!(found(&shelf, "sort photo receipt", None), ["qqa", "qqb", "qqc"]);
    assert_eq!(found(&shelf, "sort my photo receipts by date", None), ["qqc", "qqb", "qqa"]);
    assert_eq!(found(&shelf, "sort my unseen files by date", None), ["qqa", "qqb", "qqc"], "no candidate");
    assert_eq!(found(&shelf, "receipts", None), Vec::<String>::new());
}

#[test]
fn unfinished_and_misspelt_words_find_the_right_one() {
    let shelf = shelf();
    for query in ["kub", "kubern", "kubernets", "kuberentes", "kubernetse", "kkubernetes", "kubernetes help"]
    {
        assert_eq!(found(&shelf, query, None), ["kubernetes-helper"], "{query}");
    }
    // A word of the description, by its start.
    assert_eq!(found(&shelf, "deplo", None), ["kubernetes-helper"]);
    // Words of four letters are not corrected, and only the last word may be unfinished.
    assert_eq!(found(&shelf, "pafer", None), ["paper"]);
    assert_eq!(found(&shelf, "kbue", None), Vec::<String>::new());
    assert_eq!(found(&shelf, "kub clusters", None)[0], "kubernetes-helper");
    assert_eq!(found(&shelf, "xyzzy", None), Vec::<String>::new());
}

#[test]
fn misspelt_word_is_corrected_to_the_one_whose_forms_are_most_frequent() {
    let mut shelf = Shelf::new();
    let text = |slug: &str, word: &str| Text::new(slug, &format!("About {word}."));
    shelf.publish(&text("call", "invokes"), "1.0.0");
    shelf.publish(&text("bill", "invoice"), "1.0.0");
    shelf.publish(&text("scan", "invoices"), "1.0.0");
    assert_eq!(found(&shelf, "invoces", None), ["scan", "bill"]);
    // The words of both groups are in two skills now, and ties go to the first word.
    let other = text("run", "invoking");
    shelf.publish(&other, "1.0.0");
    assert_eq!(found(&shelf, "invoces", None), ["scan", "bill"]);
    shelf.publish(&text("start", "invoked"), "1.0.0");
    shelf.publish(&text("stop", "invoke"), "1.0.0");
    assert_eq!(found(&shelf, "invoces", None)[0], "call");
    shelf.remove(&other);
    shelf.publish(&text("pay", "invoicing"), "1.0.0");
    shelf.publish(&text("send", "invoiced"), "1.0.0");
    assert_eq!(found(&shelf, "invoces", None)[0], "scan");
}

#[test]
fn query_of_several_words_finds_what_is_near_in_meaning() {
    let mut shelf = shelf();
    for text in [
        Text::new("shutter", "Retouches photographs and pictures."),
        Text::new("tripod", "Holds a camera with a lens."),
        Text::new("lawyer", "Reads contracts."),
    ] {
        shelf.publish(&text, "1.0.0");
    }
    assert_eq!(found(&shelf, "camera lens", None), ["tripod"], "few skills are easily looked through");
    for number in 0..100 {
        shelf.publish(&Text::new(&format!("qq{number}"), "Zzzz."), "1.0.0");
    }
    let near = found(&shelf, "camera lens", None);
    assert_eq!(near[..2], ["tripod", "shutter"]);
    assert!(!near.contains(&"lawyer".to_owned()));
    assert_eq!(found(&shelf, "camera lens", Some("acme")), Vec::<String>::new());
    assert_eq!(found(&shelf, "camera", None), ["tripod"], "one word is searched for as it is");
    assert_eq!(found(&shelf, "yyyy wwww", None), Vec::<String>::new());
}

#[test]
fn text_without_spaces_is_found_by_its_parts() {
    let shelf = shelf();
    for query in ["机器学习", "集群", "学习平台", "クラスタ", "管理"] {
        assert_eq!(found(&shelf, query, None), ["cluster"], "{query}");
    }
}

#[test]
fn popularity_decides_only_between_equal_skills() {
    let mut shelf = shelf();
    let first = shelf.publish(&Text::new("alpha-lint", "Checks code."), "1.0.0");
    let second = shelf.publish(&Text::new("gamma-lint", "Checks code."), "1.0.0");
    assert_eq!(found(&shelf, "lint", None), ["alpha-lint", "gamma-lint"]);
    let counters = Counters { downloads: u64::MAX >> 20, stars: 9, ..Counters::default() };
    shelf.catalog.publish_counters(&[(Id(second), counters, 1)]);
    assert!(first < second);
    assert_eq!(found(&shelf, "lint", None), ["gamma-lint", "alpha-lint"]);
    // A word in a name counts more than any number of downloads.
    let id = shelf.publish(&Text::new("review", "Finds lint and much else in code of many kinds."), "1.0.0");
    shelf.catalog.publish_counters(&[(Id(id), counters, 2)]);
    assert_eq!(found(&shelf, "lint", None), ["gamma-lint", "alpha-lint", "review"]);
}

#[test]
fn skill_that_is_not_live_is_not_found() {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    let text = Text::new("pdf", "Old.").of("acme");
    let is_found = |shelf: &Shelf, query: &str| !found(shelf, query, None).is_empty();
    shelf.publish(&text, "1.0.0");
    assert!(is_found(&shelf, "old"));
    shelf.publish(&Text { description: "New.".into(), ..text.clone() }, "1.1.0");
    assert!(is_found(&shelf, "new") && !is_found(&shelf, "old"));
    shelf.yank(&text, "1.1.0");
    assert!(!is_found(&shelf, "new") && is_found(&shelf, "old"));
    shelf.remove(&text);
    assert!(!is_found(&shelf, "pdf"));
    shelf.restore(&text);
    assert!(is_found(&shelf, "pdf"));
    shelf.namespace("acme", NamespaceStatus::Archived);
    assert!(!is_found(&shelf, "pdf"));
    shelf.namespace("acme", NamespaceStatus::Frozen);
    assert!(is_found(&shelf, "pdf"));
}

#[test]
fn word_more_hides_no_skill() {
    let shelf = shelf();
    let queries = ["pdf", "cluster", "paper", "office", "to do", "kubernetes helper", "letters tables"];
    for first in queries {
        let best = found(&shelf, first, None)[0].clone();
        for more in ["books", "xyzzy", "please", "split documents", "机器学习", "acme"] {
            for query in [format!("{first} {more}"), format!("{more} {first}")] {
                assert!(found(&shelf, &query, None).contains(&best), "{query}");
            }
        }
    }
}

#[test]
fn forms_synonyms_and_compounds_are_found_after_the_word() {
    let mut shelf = Shelf::new();
    for text in [
        Text::new("invoice-reader", "Reads totals."),
        Text::new("billing-robot", "Sends money requests."),
        Text::new("invoices", "Keeps them in order."),
        Text::new("timezone-tool", "Shows the hour elsewhere."),
        Text::new("e-ink-frame", "Draws on paper."),
        Text::new("linter", "Checks C++ and node.js sources."),
        Text::new("slides", "Makes presentations."),
    ] {
        shelf.publish(&text, "1.0.0");
    }
    for (query, expected) in [
        ("invoices", &["invoices", "invoice-reader", "billing-robot"][..]),
        ("invoicing", &["invoices", "invoice-reader", "billing-robot"]),
        ("time zone", &["timezone-tool"]),
        ("time-zone", &["timezone-tool"]),
        ("timezones", &["timezone-tool"]),
        ("eink", &["e-ink-frame"]),
        ("e ink", &["e-ink-frame"]),
        ("c++", &["linter"]),
        ("nodejs", &["linter"]),
        ("node.js", &["linter"]),
        ("powerpoint", &["slides"]),
        ("how can I get the user's presentation?", &["slides"]),
    ] {
        assert_eq!(found(&shelf, query, None), expected, "{query}");
    }
}

#[test]
fn address_comes_first() {
    let shelf = shelf();
    for query in ["@acme/pdf-tools", "acme/pdf-tools", "acme pdf tools"] {
        assert_eq!(found(&shelf, query, None)[0], "acme--pdf-tools", "{query}");
    }
}
