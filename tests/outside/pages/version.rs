//! The page of a version, with the texts of its files.

use crate::harness::{Registry, Skill, html, zip_of};

/// The page of a version of a skill in `global`, checked for active content.
fn page(registry: &Registry, slug: &str, version: &str) -> String {
    let page = registry.page(&format!("/global/{slug}/{version}/"));
    html::assert_inert(&page);
    page
}

/// Publishes a package that is read tolerantly, and returns the page of its version 1.0.0.
fn page_of(registry: &Registry, slug: &str, files: &[(&str, &[u8])]) -> String {
    for (path, content) in files {
        registry.write(&format!("odd/{slug}/{path}"), content);
    }
    let folder = registry.folder().join(format!("odd/{slug}"));
    registry.command(["import".as_ref(), "--tolerant".as_ref(), folder.as_os_str()]).ok();
    page(registry, slug, "1.0.0")
}

/// Front matter without a name: the folder has it.
const FRONT: &str = "---\ndescription: y\n---\n";

#[test]
fn version_page_shows_changelog_files_and_what_changed() {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill =
        || Skill::named("tool").text("# Tool\n\nSee [it](scripts/run.sh).\n").file("same.txt", "Same.\n");
    let first = skill().file("scripts/run.sh", "echo one\n").file("old.txt", "Old.\n");
    registry.publish(first).version("1.0.0").by(&admin).expect(201);
    let second = skill().file("scripts/run.sh", "echo two\n").file("new.txt", "New.\n");
    let long = "A changelog. ".repeat(300);
    registry.publish(second).version("1.1.0").changelog(long.trim()).by(&admin).expect(201);

    let shown = page(&registry, "tool", "1.1.0");
    assert!(shown.contains(long.trim()), "{shown}");
    for (badge, path) in [("changed", "scripts/run.sh"), ("added", "new.txt"), ("removed", "old.txt")] {
        let row = shown.lines().find(|line| line.contains(path) && line.contains("<li><span")).unwrap();
        assert!(row.contains(&format!("badge-{badge}")), "{row}");
    }
    assert!(!shown.lines().any(|line| line.contains("<li><span") && line.contains(">same.txt<")), "{shown}");
    assert!(shown.contains("<i>echo two</i>\n") && shown.contains("<i>New.</i>\n"), "{shown}");
    assert!(shown.contains("<a href=\"../1.0.0/\">1.0.0</a>"), "{shown}");

    let before = page(&registry, "tool", "1.0.0");
    assert!(before.contains("<i>echo one</i>\n") && !before.contains("id=\"changes\""), "{before}");

    // The page of the skill leads there: its versions, its files, and the links of its text.
    let of_skill = registry.page("/global/tool/");
    for link in [
        "1.0.0/\">1.0.0<",
        "1.1.0/\">1.1.0<",
        "1.1.0/#file-4\">",
        "1.1.0/#file-4\"><code><bdi>scripts/run.sh",
    ] {
        assert!(of_skill.contains(&format!("href=\"{link}")), "{link}: {of_skill}");
    }
    registry.command(["verify"]).ok();
}

#[test]
fn later_versions_tags_and_stars_leave_a_version_page_as_it_is() {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 0\n");
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0", "2.0.0"], &admin);
    let pages = || ["1.0.0", "2.0.0"].map(|version| page(&registry, "hello", version));
    let before = pages();
    registry.versions("global/hello", &["1.5.0"], &admin);
    registry.tag("global/hello", "stable", "1.0.0", &admin).expect(201);
    registry.star("global/hello", &admin).expect(200);
    assert_eq!(pages(), before);
    assert!(page(&registry, "hello", "1.5.0").contains("Changes since <a href=\"../1.0.0/\">"));
    registry.yank("global/hello", "1.0.0", &admin).expect(200);
    let [yanked, other] = pages();
    assert!(yanked.contains("This version is yanked") && yanked.contains("It greets nobody."), "{yanked}");
    assert_eq!(other, before[1]);
    registry.command(["verify"]).ok();
}

#[test]
fn hostile_names_and_texts_stay_text() {
    let registry = Registry::start();
    let hostile =
        "<script>alert(1)</script> </code></pre><img src=x onerror=alert(1)> {{ 7 * 7 }} \u{202e}\u{200b}\n";
    let page = page_of(
        &registry,
        "hostile",
        &[
            ("SKILL.md", format!("{FRONT}{hostile}").as_bytes()),
            ("a\"b<c>.md", hostile.as_bytes()),
            ("page.html", hostile.as_bytes()),
            ("picture.svg", b"<svg onload=\"alert(1)\"/>"),
            ("ش/ملف.txt", "نص\n".as_bytes()),
        ],
    );
    assert_eq!(page.matches("&lt;script&gt;alert(1)").count(), 2, "{page}");
    assert!(
        page.contains("<bdi>a&quot;b&lt;c&gt;.md</bdi>") && page.contains("<bdi>ملف.txt</bdi>"),
        "{page}"
    );
    assert!(page.contains("&lt;svg onload=&quot;alert(1)&quot;/&gt;"), "{page}");
    assert!(!page.contains(['\u{202e}', '\u{200b}']) && page.contains('\u{fffd}'), "{page}");
}

#[test]
fn page_shows_texts_within_its_budget_only() {
    let registry = Registry::start();
    let line = "x".repeat(100_000);
    let page = page_of(
        &registry,
        "large",
        &[
            ("SKILL.md", format!("{FRONT}{}", "A line of text.\n".repeat(5000)).as_bytes()),
            ("line.txt", line.as_bytes()),
            ("binary.txt", b"text\0and more"),
            ("latin.txt", b"caf\xe9"),
            ("empty.txt", b""),
            ("small.txt", b"A small file."),
        ],
    );
    assert!(page.contains("<i>A small file.</i>") && page.contains("Empty."), "{page}");
    assert!(!page.contains("A line of text.") && page.contains("Rendered, in the latest version"), "{page}");
    assert_eq!(page.matches(">In the package.").count(), 4, "{page}");
    assert!(!page.contains("and more") && !page.contains("xxxxx") && page.len() < 32 << 10, "{}", page.len());
}

#[test]
fn finding_links_to_its_line() {
    let registry = Registry::start();
    let page =
        page_of(&registry, "found", &[("SKILL.md", b"Text without front matter.\n"), ("x.sh", b"echo\n")]);
    let links: Vec<_> =
        page.split("href=\"#file-").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.iter().all(|link| page.contains(&format!("id=\"file-{link}\""))), "{links:?}: {page}");
}

#[test]
fn addresses_of_version_pages_are_exact() {
    let registry = Registry::start();
    let zip = zip_of(&[("SKILL.md", b"---\nname: a\ndescription: A.\n---\nText.\n")]);
    registry.publish_bytes(zip).version("1.0.0-rc.js").by(&registry.admin()).expect(201);
    assert!(page(&registry, "a", "1.0.0-rc.js").contains("1.0.0-rc.js</span></h1>"));
    let browser = registry.anonymous().browser();
    browser.get("/global/a/1.0.0/").expect(404);
    let redirect = browser.get("/global/a/1.0.0-rc.js").expect(308);
    assert_eq!(redirect.require_header("location"), "1.0.0-rc.js/");
}
