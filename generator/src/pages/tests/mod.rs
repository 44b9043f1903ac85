//! Fills every template with much, little and hostile content.

#![allow(clippy::unwrap_used, clippy::panic)]

pub mod markup_check;

use serde_json::{Value, json};

use self::markup_check::starts;
use super::Site;
use super::samples::{add, empty, full, of};

/// Text that must stay text.
const HOSTILE: &str = "\"><script>alert(1)</script>'><img src=x onerror=alert(1)> {{ site }} \u{202e}\u{0}";

const PAGES: [&str; 15] = [
    "home.html",
    "search.html",
    "namespaces.html",
    "namespace.html",
    "skills.html",
    "keywords.html",
    "help.html",
    "api.html",
    "skill.html",
    "version.html",
    "404.html",
    "sign-in/code.html",
    "sign-in/consent.html",
    "sign-in/handle.html",
    "sign-in/message.html",
];

fn page(template: &'static str, context: &Value) -> String {
    let context = of(template, context.clone());
    String::from_utf8(
        Site::default()
            .fill(template, &context)
            .unwrap_or_else(|error| panic!("{template:?}: {}", registry::with_causes(&error))),
    )
    .unwrap()
}

fn samples() -> Vec<(&'static str, String)> {
    let long = "donaudampfschifffahrts".repeat(40);
    let contexts = [full("Some words"), full(HOSTILE), full(&long), full("日本語 ‏עברית"), empty()];
    let pairs = contexts.iter().flat_map(|context| PAGES.map(|template| (template, page(template, context))));
    pairs.collect()
}

#[test]
fn page_is_well_formed_and_runs_only_our_scripts() {
    for (template, page) in samples() {
        assert!(
            page.starts_with("<!doctype html>\n<html lang=\"en\" data-root=\"./\">"),
            "{template:?}: {page}"
        );
        let starts = starts(&page).unwrap_or_else(|wrong| panic!("{template:?}: {wrong}\n{page}"));
        for (name, attributes) in &starts {
            let value = |name: &str| {
                attributes.iter().find(|(each, _)| each == name).map(|(_, value)| value.as_str())
            };
            let is_ours = |url: &str| url.starts_with("./assets/");
            match name.as_str() {
                "script" => assert!(value("src").is_some_and(is_ours), "{page}"),
                "link" if value("rel") == Some("alternate") => {
                    assert!(value("type").is_some_and(|kind| kind.starts_with("text/")), "{page}");
                }
                "link" if value("rel") == Some("preload") => {
                    assert_eq!(value("href"), Some("./api/v1/search/_index/manifest.bin"), "{page}");
                }
                "link" if value("rel") == Some("canonical") => {
                    assert_eq!(value("href"), Some("https://registry.example/a/"), "{page}");
                }
                "link" if value("rel") == Some("search") => {
                    assert_eq!(value("href"), Some("./opensearch.xml"), "{page}");
                }
                "link" => assert!(value("href").is_some_and(is_ours), "{page}"),
                "form" => {
                    assert!(matches!(value("action"), Some("./search/" | "./cli/device")), "{page}");
                }
                "style" | "iframe" | "img" | "object" | "embed" | "base" => panic!("<{name}> in {page}"),
                _ => {}
            }
            for (attribute, value) in attributes {
                assert!(attribute != "style" && !attribute.starts_with("on"), "{attribute} in {page}");
                let is_link = matches!(attribute.as_str(), "href" | "src" | "action");
                let starts = [".", "#", "https://"];
                assert!(
                    !is_link || starts.iter().any(|start| value.starts_with(start)),
                    "{attribute}={value}"
                );
            }
        }
        let count = |wanted: &str| starts.iter().filter(|(name, _)| name == wanted).count();
        for one in ["h1", "main", "title", "header", "footer"] {
            assert_eq!(count(one), 1, "<{one}> of {template:?}");
        }
        assert!(page.contains("default-src 'none'; script-src 'self'; style-src 'self';"));
    }
}

#[test]
fn headings_skip_no_level() {
    for (template, page) in samples() {
        let mut before = 0;
        for (name, _) in starts(&page).unwrap() {
            let Some(level) = name.strip_prefix('h').and_then(|level| level.parse::<usize>().ok()) else {
                continue;
            };
            assert!(level <= before + 1, "{template:?}: h{level} after h{before}");
            before = level;
        }
    }
}

#[test]
fn ids_are_unique_and_references_resolve() {
    for (template, page) in samples() {
        let starts = starts(&page).unwrap();
        let of = |wanted: &[&str]| -> Vec<&str> {
            let all = starts.iter().flat_map(|(_, attributes)| attributes);
            all.filter(|(name, _)| wanted.contains(&name.as_str())).map(|(_, value)| value.as_str()).collect()
        };
        let ids = of(&["id"]);
        let mut distinct = ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), ids.len(), "{template:?}: {ids:?}");
        for id in of(&["for", "aria-labelledby"]) {
            assert!(ids.contains(&id), "{template:?}: {id}");
        }
        for id in of(&["href"]).iter().filter_map(|href| href.strip_prefix('#')) {
            assert!(ids.contains(&id), "{template:?}: {id}");
        }
    }
}

#[test]
fn install_commands_name_site_and_skill() {
    let page = page("skill.html", &full("x"));
    let text: String =
        page.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    for command in [
        "skillmirror install team/hello --registry https://registry.example",
        "skillmirror install team/hello --registry https://registry.example --agent claude",
        "CLI_REGISTRY=https://registry.example skillmirror install team/hello",
        "$env:CLI_REGISTRY='https://registry.example'; skillmirror install team/hello",
        "curl -fLo hello.zip &#39;https://registry.example/api/v1/x.zip&#39;\nunzip hello.zip -d skills/hello",
    ] {
        assert!(text.contains(&command.replace("&#39;", "'")), "{command} in {text}");
    }
}

#[test]
fn numbers_and_times_are_formatted() {
    let page = page("home.html", &full("x"));
    for text in
        ["5,678,901", "<time datetime=\"2026-11-21T12:00:00Z\">21\u{a0}Nov\u{a0}2026</time>", "4.2 of 5"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn yanked_skill_is_marked_in_lists() {
    for template in ["home.html", "namespace.html"] {
        let mut context = full("x");
        let is_marked = |context: &Value| page(template, context).contains(">yanked</span></p>");
        assert!(!is_marked(&context), "{template:?}");
        context["newest"][0]["version"] = Value::Null;
        assert!(is_marked(&context), "{template:?}");
    }
}

#[test]
fn cut_off_list_says_so() {
    for (number, total, is_last) in [(10, 500, false), (9, 1200, false), (10, 1200, true)] {
        let mut context = full("x");
        add(&mut context, json!({"page": number, "pages": 10, "total": total, "shown": 500}));
        let page = page("namespaces.html", &context);
        let sentence = "These pages show the first 500 of 1,200 namespaces, in alphabetical order. \
                        <a href=\"./search/\">Search</a> finds the skills of the others.";
        assert_eq!(page.contains(sentence), is_last, "{number} {total}: {page}");
        assert_eq!(page.contains("These pages show "), is_last, "{number} {total}");
        let position = format!("Page {number} of {}10<", if total > 500 { "the first " } else { "" });
        assert!(page.contains(&position), "{position}: {page}");
    }
}

#[test]
fn keywords_link_to_search_and_many_are_folded() {
    let mut context = full("x");
    let words: Vec<String> = (0..32).map(|n| format!("a b&c {n}")).collect();
    context["skill"]["keywords"] = json!(words);
    let page = page("skill.html", &context);
    assert_eq!(page.matches("href=\"./search/?q=a%20b%26c%20").count(), 32);
    let (before, after) = page.split_once("<summary>22\u{a0}more keywords</summary>").unwrap();
    assert!(before.contains("a%20b%26c%209\"") && after.contains("a%20b%26c%2010\""));
}

#[test]
fn empty_registry_says_how_to_publish() {
    let mut context = empty();
    context["registryTotal"]["skills"] = json!(0);
    let page = page("home.html", &context);
    assert!(
        page.contains("This registry has no skills yet") && page.contains("skillmirror publish DIR"),
        "{page}"
    );
    assert!(!page.contains("Search 0"), "{page}");
}
