//! No Markdown makes a page run or load anything.

#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;

use crate::pages::readme::readme;
use crate::pages::tests::markup_check::starts;

const FILES: [&str; 2] = ["SKILL.md", "docs/guide.md"];

pub(super) fn html(markdown: &str) -> String {
    readme(markdown, &FILES, "1.0.0/").html
}

/// Fails unless `html` has only allowed elements and attributes.
pub(super) fn assert_safe(html: &str) {
    let starts = starts(html).unwrap_or_else(|wrong| panic!("{wrong}\n{html}"));
    for (name, attributes) in starts {
        let allowed: &[&str] = match name.as_str() {
            "a" => &["href", "rel"],
            "code" => &["class"],
            "h2" | "h3" | "h4" | "h5" | "h6" => &["id", "dir"],
            "p" | "div" => &["class", "dir", "tabindex"],
            "ol" => &["start", "dir"],
            "pre" => &["tabindex"],
            "span" => &["class", "role", "aria-label"],
            "table" | "ul" | "blockquote" => &["dir"],
            "td" | "th" => &["class", "scope"],
            "br" | "del" | "em" | "hr" | "li" | "strong" | "tbody" | "thead" | "tr" => &[],
            other => panic!("<{other}> in {html}"),
        };
        for (attribute, value) in attributes {
            assert!(allowed.contains(&attribute.as_str()), "{attribute} of <{name}> in {html}");
            match attribute.as_str() {
                "href" => {
                    let lower = value.to_ascii_lowercase();
                    let is_allowed = ["https://", "http://", "mailto:", "#readme-", "1.0.0/#file-"];
                    assert!(is_allowed.iter().any(|start| lower.starts_with(start)), "{value} in {html}");
                    assert!(!value.contains(|c: char| c.is_control() || c.is_whitespace()), "{value:?}");
                }
                "id" => assert!(value.starts_with("readme-"), "{value}"),
                _ => {}
            }
        }
    }
}

/// Inputs that ran scripts in other renderers of Markdown.
#[test]
fn hostile_markdown_is_safe() {
    for markdown in include_str!("../../../../../tests/pages/hostile.md").split("\n=====\n") {
        assert_safe(&html(markdown));
        assert_safe(&html(&format!("- > # {}", markdown.replace('\n', "\n  > "))));
    }
}

#[test]
fn large_and_deep_markdown_is_cut_off() {
    let units = [
        "[",
        "]",
        ">",
        "*",
        "_",
        "`",
        "~~",
        "<",
        "![",
        "[a](",
        "<!--",
        "<a ",
        "- ",
        "1. ",
        "> - ",
        "|",
        "a|b\n-|-\n",
        "\n\n# a",
        "**a *b ",
        "[a]: b\n",
        "[a]",
        "&",
        "\"",
        "\u{0}",
        "<br>",
        "[](<https://a.b>)",
        "http://a ",
        "http://a)",
        "\u{200b}a",
        "- [x] a\n",
        "\\\n",
        "<p>\n\n",
        "~",
        "\t",
    ];
    for unit in units {
        let markdown = unit.repeat(512 * 1024 / unit.len());
        let made = readme(&markdown, &FILES, "1.0.0/");
        assert!(made.html.len() < 5 * 1024 * 1024, "{unit:?}: {}", made.html.len());
        assert_safe(&made.html);
    }
    let (head, rule, rows) = ("a|".repeat(50_000), "-|".repeat(50_000), "b\n".repeat(150_000));
    let made = readme(&format!("{head}\n{rule}\n{rows}"), &FILES, "1.0.0/");
    assert!(made.is_cut && made.html.len() < 2 * 1024 * 1024, "{}", made.html.len());
    assert_safe(&made.html);
    let made = readme(&"ü".repeat(512 * 1024), &FILES, "1.0.0/");
    assert!(made.is_cut && made.html.len() <= 513 * 1024);
    assert!(!readme("short", &FILES, "1.0.0/").is_cut);
}

/// Parts with a meaning in Markdown, so that random texts have one, too.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "[",
            "](",
            ")",
            "![",
            "[a](javascript:b",
            "[a](data:b",
            "[a](SKILL.md)",
            "<",
            ">",
            "\"",
            "'",
            "javascript:",
            "https://a.b",
            "http://",
            "\u{202e}",
            "\u{e0041}",
            "#",
            "\n",
            "\n\n",
            "- ",
            "1. ",
            "> ",
            "| ",
            "-|-",
            "```",
            "`",
            "*",
            "**",
            "~~",
            "<!--",
            "-->",
            "<script>",
            "</script>",
            "<img src=x onerror=y>",
            "&#x6a;",
            "&colon;",
            "\\",
            "\t",
            "[x] ",
            "SKILL.md",
            "<br>",
            ":",
            "//",
            "]: ",
            "data:",
            "---",
            "    ",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9 ]{0,6}",
        "\\PC{0,4}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_markdown_is_safe(markdown in markdown()) {
        assert_safe(&html(&markdown));
    }
}
