//! Pages of unusual packages.

use crate::harness::{Registry, Skill, html, zip_of};

/// Far more than a page shows.
const LONG: usize = 10 << 20;

#[test]
fn ten_megabyte_text_is_cut() {
    let registry = Registry::start();
    let line = "A line that says nothing, and says it once more.\n\n";
    let front = "---\nname: long\ndescription: Long.\n---\n";
    let text = format!("{front}First.\n\n{}", line.repeat((LONG - 1000) / line.len()));
    let skill = Skill::of_text(format!("{text}\nThe end.\n").as_bytes()).file("x.md", "x");
    registry.publish(skill).by(&registry.admin()).expect(201);
    let page = registry.page("/global/long/");
    assert!(page.contains("First.") && !page.contains("The end."));
    assert!(page.len() < 2 << 20, "{} bytes", page.len());
    html::assert_inert(&page);
    registry.command(["verify"]).ok();
}

#[test]
fn tolerantly_read_skill_is_shown_as_read() {
    let registry = Registry::start();
    let folder = registry.folder().join("odd");
    for (name, file, text) in [
        ("bare", "SKILL.md", "# Bare\n\nNo front matter here.\n"),
        ("lower", "skill.md", "---\nname: lower\ndescription: Lower case.\n---\nLower text.\n"),
        ("plural", "skills.md", "Plural text, which describes it.\n"),
        ("broken", "SKILL.md", "---\nname: broken\ndescription: one: two: three\n---\nBroken text.\n"),
        ("open", "SKILL.md", "---\nname: open\ndescription: No end.\n\nOpen text.\n"),
    ] {
        registry.write(&format!("odd/{name}/{file}"), text.as_bytes());
    }
    registry.command(["import".as_ref(), "--tolerant".as_ref(), folder.as_os_str()]).ok();
    for (name, shown) in [
        ("bare", "No front matter here."),
        ("lower", "Lower text."),
        ("plural", "Plural text, which describes it."),
        ("broken", "Broken text."),
        ("open", "Open text."),
    ] {
        let page = registry.page(&format!("/global/{name}/"));
        assert!(page.contains(shown), "{name}: {page}");
        html::assert_inert(&page);
    }
    registry.command(["verify"]).ok();
}

#[test]
fn fully_yanked_skill_keeps_its_page() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0", "1.1.0"], &admin);
    for version in ["1.0.0", "1.1.0"] {
        registry.yank("global/hello", version, &admin).expect(200);
    }
    let page = registry.page("/global/hello/");
    assert!(page.contains("This is 1.1.0.") && page.contains("It greets nobody."), "{page}");
    assert!(!registry.page("/").contains("global/hello/"), "nothing leads to it from the first page");
}

#[test]
fn large_package_is_published_and_shown() {
    let registry = Registry::start();
    // Dense, so that it is as large packed.
    let noise = crate::harness::noise(9 << 20, 7);
    let front = b"---\nname: heavy\ndescription: Heavy.\n---\nLight text.\n";
    let zip = zip_of(&[("SKILL.md", front), ("a.bin", &noise), ("b/c.bin", &noise[1..])]);
    registry.publish_bytes(zip).by(&registry.admin()).expect(201);
    let page = registry.page("/global/heavy/");
    assert!(page.contains("Light text.") && page.contains("b/c.bin"), "{page}");
}
