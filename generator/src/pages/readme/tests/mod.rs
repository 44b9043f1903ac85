#![allow(clippy::unwrap_used, clippy::panic)]

mod safety;

use safety::{assert_safe, html};

use super::readme;

#[test]
fn long_text_has_a_list_of_contents() {
    let section = |name: &str| format!("{name} *x*\n\n{}\n\n", "words ".repeat(600));
    let long: String = ["# A", "## B", "### C", "# D"].map(section).concat();
    let made = readme(&long, &[], "");
    let listed: Vec<_> = made.contents.iter().map(|each| (&*each.anchor, &*each.text, each.is_sub)).collect();
    assert_eq!(
        listed,
        [("readme-a-x", "A x", false), ("readme-b-x", "B x", true), ("readme-d-x", "D x", false)]
    );
    assert!(readme("# A\n# B\n# C\n", &[], "").contents.is_empty());
}

#[test]
fn commonmark_and_tables_become_html() {
    for (markdown, expected) in [
        (
            "# A *b*\n\ntext",
            "<h2 id=\"readme-a-b\" dir=\"auto\">A <em>b</em></h2>\n<p dir=\"auto\">text</p>\n",
        ),
        (
            "## B\n#### C\n# D",
            "<h2 id=\"readme-b\" dir=\"auto\">B</h2>\n<h3 id=\"readme-c\" dir=\"auto\">C</h3>\n\
             <h2 id=\"readme-d\" dir=\"auto\">D</h2>\n",
        ),
        (
            "**a** ~~b~~ `c<` a\\\nb",
            "<p dir=\"auto\"><strong>a</strong> <del>b</del> <code>c&lt;</code> a<br>\nb</p>\n",
        ),
        ("- a\n- b", "<ul dir=\"auto\">\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("3. a\n\n   b", "<ol start=\"3\" dir=\"auto\">\n<li><p>a</p>\n<p>b</p>\n</li>\n</ol>\n"),
        (
            "> a\n> > b",
            "<blockquote dir=\"auto\">\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n",
        ),
        (
            "- [x] a\n- [ ] b",
            "<ul dir=\"auto\">\n<li><span class=\"task\" role=\"img\" aria-label=\"done\">\u{2611}</span> a</li>\n\
             <li><span class=\"task\" role=\"img\" aria-label=\"to do\">\u{2610}</span> b</li>\n</ul>\n",
        ),
        (
            "a | b\n:-: | --:\n1 | `|`\\|",
            "<div class=\"scroll\" tabindex=\"0\"><table dir=\"auto\">\n<thead><tr><th scope=\"col\" class=\"center\">a\
             </th><th scope=\"col\" class=\"right\">b</th></tr></thead>\n<tbody>\n<tr><td class=\"center\">1</td>\
             <td class=\"right\">`</td></tr>\n</tbody></table></div>\n",
        ),
        (
            "```Rust,ignore\na && b\n```",
            "<pre tabindex=\"0\"><code class=\"language-rust\">a &amp;&amp; b\n</code></pre>\n",
        ),
        ("``` \"><b\nx\n```", "<pre tabindex=\"0\"><code>x\n</code></pre>\n"),
        ("    x\n", "<pre tabindex=\"0\"><code>x\n</code></pre>\n"),
        ("a\n\n---", "<p dir=\"auto\">a</p>\n<hr>\n"),
        (
            "<https://example.org/?a&b> [c](docs/guide.md) [d](gone.md)",
            "<p dir=\"auto\"><a href=\"https://example.org/?a&amp;b\" rel=\"nofollow ugc noopener\">\
             https://example.org/?a&amp;b</a> <a href=\"1.0.0/#file-2\">c</a> d</p>\n",
        ),
        (
            "![a *b*](https://example.org/x.png) ![c](x.png) [![d](https://example.org/y.svg)](https://example.org)",
            "<p dir=\"auto\"><a href=\"https://example.org/x.png\" rel=\"nofollow ugc noopener\">\
             <span class=\"image\">Image</span> a <em>b</em></a> c \
             <a href=\"https://example.org\" rel=\"nofollow ugc noopener\">d</a></p>\n",
        ),
        (
            "[](https://example.org)",
            "<p dir=\"auto\"><a href=\"https://example.org\" rel=\"nofollow ugc noopener\">https://example.org</a></p>\n",
        ),
    ] {
        assert_eq!(html(markdown), expected, "{markdown}");
        assert_safe(&html(markdown));
    }
}

#[test]
fn urls_in_text_become_links() {
    let link = |url: &str| format!("<a href=\"{url}\" rel=\"nofollow ugc noopener\">{url}</a>");
    let (plain, query) = (link("https://a.b/c_d_e"), link("http://a.b/?x&amp;y"));
    for (markdown, expected) in [
        (
            "(https://a.b/c_d_e), *http://a.b/?x&y*.",
            format!("<p dir=\"auto\">({plain}), <em>{query}</em>.</p>\n"),
        ),
        ("- https://a.b/c_d_e\n", format!("<ul dir=\"auto\">\n<li>{plain}</li>\n</ul>\n")),
        ("# https://a.b/c_d_e", format!("<h2 id=\"readme-httpsabc_d_e\" dir=\"auto\">{plain}</h2>\n")),
    ] {
        assert_eq!(html(markdown), expected, "{markdown}");
        assert_safe(&html(markdown));
    }
    for markdown in [
        "`https://a.b`",
        "    https://a.b\n",
        "```\nhttps://a.b\n```",
        "[https://a.b](javascript:x)",
        "![https://a.b](x)",
        "<a href=\"https://a.b\">\n",
        "https://\u{202e}a.b",
    ] {
        assert!(!html(markdown).contains("<a "), "{markdown}: {}", html(markdown));
    }
    assert_eq!(html("[https://a.b](https://c.d)").matches("<a ").count(), 1);
}

#[test]
fn unseen_characters_are_shown() {
    for (markdown, expected) in [
        (
            "a\u{202e}b\u{200b}\u{feff}",
            "a<span class=\"odd\">U+202E</span>b<span class=\"odd\">U+200B U+FEFF</span>",
        ),
        ("`\u{e0041}\u{e0042}`", "<code><span class=\"odd\">U+E0041 U+E0042</span></code>"),
        ("\u{feff}a", "a"),
        ("👩\u{200d}💻 ❤\u{fe0f}", "👩\u{200d}💻 ❤\u{fe0f}"),
    ] {
        assert_eq!(html(markdown), format!("<p dir=\"auto\">{expected}</p>\n"));
    }
    assert!(!html("[a](https://a.b/\u{202e}c)").contains("<a "));
    assert!(html("<a \u{2066}>").contains("U+2066"));
}

#[test]
fn html_becomes_text() {
    for (markdown, expected) in [
        ("a <b>c</b><br/>d <!-- e -->f", "<p dir=\"auto\">a &lt;b&gt;c&lt;/b&gt;<br>d f</p>\n"),
        (
            "<rules>\n- a\n</rules>",
            "<p class=\"markup\" dir=\"auto\">&lt;rules&gt;\n- a\n&lt;/rules&gt;</p>\n",
        ),
        ("<!-- a\n\nb -->\n\nc", "<p dir=\"auto\">c</p>\n"),
        (
            "<rules>\n\n**a**\n\n</rules>",
            "<p class=\"markup\" dir=\"auto\">&lt;rules&gt;</p>\n<p dir=\"auto\"><strong>a</strong></p>\n<p class=\"markup\" dir=\"auto\">&lt;/rules&gt;</p>\n",
        ),
    ] {
        assert_eq!(html(markdown), expected, "{markdown}");
    }
}

#[test]
fn too_deep_elements_become_text() {
    let deep = html(&format!("{}text", "> ".repeat(100)));
    assert_eq!(deep.matches("<blockquote").count(), 32);
    assert!(deep.contains("text"));
    let list = html(&format!("{}- a\n", "> ".repeat(31)));
    assert_eq!((list.matches("<ul").count(), list.matches("<li").count()), (1, 1));
    assert_safe(&html(&format!("{}a|b\n{0}-|-\n{0}c|d", "> ".repeat(31))));
    assert_safe(&html(&format!("{}a|b\n{0}-|-\n{0}c|d", "> ".repeat(40))));
}
