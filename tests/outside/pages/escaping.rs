//! Text of users never runs on a page.

use serde_json::json;

use crate::harness::{Registry, Skill, User, html, skill_path};

/// Payloads that try to leave text and attributes.
const PAYLOADS: &[&str] = &[
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea></pre></code></script><svg onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=\"alert(1)",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "{{ 7 * 7 }}{% raw %}{{ site|safe }}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)",
    "<style>@import 'https://evil.example/x.css'</style>",
    "<meta http-equiv=refresh content=0;url=https://evil.example>",
    "<base href=https://evil.example/>",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
    "\u{2028}<script>alert(1)</script>\u{feff}",
    "＜script＞alert(1)＜/script＞",
];

/// The same payloads in Markdown.
const MARKDOWN: &[&str] = &[
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\\\nscript:alert(1))",
    "[x]( javascript:alert(1) \"t\")",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "[x](//evil.example/x)",
    "[x](https://a.example/\"onmouseover=\"alert(1))",
    "[x](https://a.example/ '\" onmouseover=alert(1) ')",
    "![x](https://evil.example/x.png)",
    "![x\" onerror=\"alert(1)](x.png)",
    "<javascript:alert(1)>",
    "<https://a.example/\"onclick=alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
    "```\"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```",
    "    </code></pre><script>alert(1)</script>",
    "# <script>alert(1)</script> {#\"><script>alert(1)</script>}",
    "| <script>alert(1)</script> | b |\n|:--\" onclick=alert(1)|---|\n| \"><img src=x onerror=alert(1)> | c |",
    "- [ ] <input autofocus onfocus=alert(1)>",
    "a\n<div onclick=alert(1)>\n\n**b** <x onclick=alert(1)>\n",
    "<script\n>alert(1)</script\n>",
    "<?php alert(1) ?><!DOCTYPE x><!ELEMENT br EMPTY>",
    "[x](SKILL.md\" onclick=\"alert(1))",
];

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A skill that tries one payload wherever a package has text.
fn package(n: usize, payload: &str, markdown: &str) -> Skill {
    let file = payload
        .replace([':', '/', '\\', '\u{2028}', '\u{feff}'], "_")
        .trim_end_matches([' ', '.'])
        .to_owned();
    let visible = visible(payload);
    let start: String = visible.chars().take(64).collect();
    Skill::named(&format!("skill-{n}"))
        .description(&quoted(&format!("{visible} described")))
        .line(&format!("license: {}", quoted(&visible)))
        .line(&format!("homepage: {}", quoted(&format!("https://a.example/{}", address_of(payload)))))
        .line(&format!("keywords: [{}]", quoted(start.trim())))
        .line(&format!(
            "metadata:\n  title: {}\n  {}: {}",
            quoted(&visible),
            quoted(&visible),
            quoted(&visible)
        ))
        .text(&format!("# {payload}\n\n{payload}\n\n{markdown}\n\n`{payload}`\n\n> {payload}\n"))
        .file(&format!("data/{file}"), "content")
}

/// As much of it as front matter and texts may have, which refuse invisible characters.
fn visible(payload: &str) -> String {
    payload.replace(['\u{2028}', '\u{feff}'], "")
}

/// As much of it as an address may have.
fn address_of(payload: &str) -> String {
    payload.chars().filter(|c| c.is_ascii_graphic() && !"\"<>\\`".contains(*c)).collect()
}

/// Uses a payload in every field of a skill.
fn spread(registry: &Registry, ann: &User, n: usize, payload: &str, markdown: &str) {
    let skill = format!("desk/skill-{n}");
    let publish = |version: &str, more: &str| {
        let response = registry.publish(package(n, payload, &format!("{markdown}\n{more}"))).to("desk");
        response.version(version).changelog(&visible(payload)).by(ann).expect(201);
    };
    publish("1.0.0", "");
    publish("1.1.0", "More.");
    let yank = format!("{}/versions/1.1.0/yank", skill_path(&skill));
    registry.as_user(ann).post_json(&yank, &json!({"reason": visible(payload)})).expect(200);
    registry.as_user(ann).put_json("/api/v1/auth/me", &json!({"displayName": shown(payload)})).expect(200);
    let namespace = json!({"displayName": shown(payload), "description": visible(payload)});
    registry.as_user(ann).put_json("/api/v1/namespaces/desk", &namespace).expect(200);
}

/// As much of it as a display name may be.
fn shown(payload: &str) -> String {
    visible(payload).chars().take(64).collect::<String>().trim().to_owned()
}

#[test]
fn payloads_are_shown_as_text() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("desk", &ann);
    for n in 0..PAYLOADS.len().max(MARKDOWN.len()) {
        let (payload, markdown) = (PAYLOADS[n % PAYLOADS.len()], MARKDOWN[n % MARKDOWN.len()]);
        spread(&registry, &ann, n, payload, markdown);
        for page in [&format!("/desk/skill-{n}/"), "/desk/", "/namespaces/", "/"] {
            html::assert_inert(&registry.page(page));
        }
    }
    for page in registry.tree().iter().filter(|file| file.ends_with(".html")) {
        html::assert_inert(&String::from_utf8(registry.tree_file(page)).unwrap());
    }
    // It is shown, not lost.
    let page = registry.page("/desk/skill-0/");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;") && page.contains("described"), "{page}");
}

#[test]
fn executable_markup_is_detected() {
    for harmful in [
        "<script>alert(1)</script>",
        "<script src=\"assets/x.js\">alert(1)</script>",
        "<script src=\"https://evil.example/assets/x.js\"></script>",
        "<p onclick=\"x\">",
        "<p style=\"x\">",
        "<a href=\"javascript:x\">",
        "<a href=\"//evil.example\">",
        "<a href='x'>",
        "<iframe src=\"assets/\">",
        "<meta http-equiv=\"Refresh\" content=\"0\">",
        "<img src=\"x.png\">",
        "a < b",
        "<!-- x -->",
    ] {
        assert!(std::panic::catch_unwind(|| html::assert_inert(harmful)).is_err(), "{harmful}");
    }
    html::assert_inert("<!doctype html><a href=\"../x/#a\" title=\"&lt;b&gt;\">&lt;</a><br/><hr>");
}
