//! Packages that are refused for their content, with every error named.

use crate::harness::{Registry, Response, Shared, Skill, noise, zip_of};

static RUNNING: Shared<Registry> = Shared::new();

/// The result of a dry run with `skill`.
#[track_caller]
fn tried(skill: &Skill) -> Response {
    let registry = RUNNING.get(Registry::start);
    registry.publish(skill.clone()).dry_run().by(&registry.admin())
}

#[track_caller]
fn tried_bytes(bytes: Vec<u8>) -> Response {
    let registry = RUNNING.get(Registry::start);
    registry.publish_bytes(bytes).dry_run().by(&registry.admin())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn bytes_that_are_not_a_zip_are_refused() {
    tried_bytes(b"this is no zip".to_vec()).refused_package();
    tried_bytes(Vec::new()).refused_package();
    tried_bytes(zip_of(&[])).refused_package();
    let mut cut = Skill::named("cut").zip();
    cut.truncate(cut.len() / 2);
    tried_bytes(cut).refused_package();
}

#[test]
fn missing_entry_file_is_refused() {
    let errors = tried(&Skill::without_entry().file("README.md", "# Hello")).refused_package();
    assert!(errors[0]["message"].as_str().unwrap().contains("SKILL.md"), "{errors:?}");
    tried(&Skill::without_entry().file("a/b/SKILL.md", Skill::named("deep").skill_md())).refused_package();
    let two_tops = Skill::without_entry().file("a/SKILL.md", Skill::named("a").skill_md()).file("b/x", "x");
    tried(&two_tops).refused_package();
}

#[test]
fn entry_file_in_another_letter_case_is_refused() {
    for name in ["skill.md", "Skill.MD"] {
        let skill = Skill::without_entry().file(name, Skill::named("any-case").skill_md());
        tried(&skill).expect(200);
        tried(&skill.inside("folder")).expect(200);
    }
}

#[test]
fn missing_front_matter_is_refused() {
    for text in ["# Hello\n\nNo front matter.\n", "", "---\nname: open\ndescription: Never closed.\n"] {
        let errors = tried(&Skill::of_text(text.as_bytes())).refused_package();
        assert_eq!(errors[0]["path"], "SKILL.md", "{errors:?}");
    }
}

#[test]
fn broken_front_matter_is_refused_with_line_and_column() {
    let text = "---\nname: broken\ndescription: Use this: it breaks\n---\n";
    let errors = tried(&Skill::of_text(text.as_bytes())).refused_package();
    assert_eq!((&errors[0]["path"], errors[0]["line"].as_u64()), (&"SKILL.md".into(), Some(3)), "{errors:?}");
    assert!(errors[0]["message"].as_str().unwrap().contains("column"), "{errors:?}");
    let text = "---\nname: broken\ndescription: \"never closed\n---\n\nText.\n";
    let errors = tried(&Skill::of_text(text.as_bytes())).refused_package();
    assert!(errors[0]["line"].is_u64(), "{errors:?}");
}

#[test]
fn incomplete_or_oversized_front_matter_is_refused() {
    let refused = [
        Skill::named("no-description").undescribed(),
        Skill::named("empty-description").description("\"\""),
        Skill::named("long-description").description(&"x".repeat(1025)),
        Skill::named(&"n".repeat(65)),
        Skill::named("Not A Slug"),
        Skill::named("twice").line("name: twice"),
        Skill::named("anchors").line("a: &a [1]\nb: *a"),
        Skill::named("list").line("description:\n  - a\n  - b").undescribed(),
        Skill::named("deep").line(&format!("deep: {}{}", "[".repeat(20), "]".repeat(20))),
        Skill::named("huge").line(&format!("huge: {}", hex(&noise(33 * 1024, 4)))),
        Skill::named("keywords").line(&format!(
            "keywords: [{}]",
            (0..33).map(|n| format!("k{n}")).collect::<Vec<_>>().join(", ")
        )),
        Skill::named("homepage").line("metadata:\n  homepage: javascript:alert(1)"),
    ];
    for skill in refused {
        let errors = tried(&skill).refused_package();
        assert_eq!(errors[0]["path"], "SKILL.md", "{errors:?}");
    }
    tried(&Skill::named("full").description(&"x".repeat(1024))).expect(200);
    tried(&Skill::named(&"n".repeat(64))).expect(200);
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let mut text = Skill::named("latin").skill_md();
    text.extend_from_slice(b"caf\xe9\n");
    let errors = tried(&Skill::of_text(&text)).refused_package();
    assert_eq!(errors[0]["path"], "SKILL.md");
    tried(&Skill::named("binary").file("data.bin", b"caf\xe9")).expect(200);
}

#[test]
fn oversized_file_is_refused() {
    let skill =
        Skill::named("big").file("fits.bin", noise(1000, 1)).file("big.bin", noise(10 * 1024 * 1024 + 1, 2));
    assert_eq!(tried(&skill).refused_paths(), ["big.bin"]);
}

#[test]
fn too_many_files_are_refused() {
    let many =
        |count: usize| (0..count).fold(Skill::named("many"), |skill, n| skill.file(&format!("f/{n}"), "x"));
    tried(&many(1000)).refused_package();
    tried(&many(999)).expect(200);
}

#[test]
fn bomb_is_measured_while_it_is_read() {
    let skill = Skill::named("bomb").file("zeros.bin", vec![0; 5 * 1024 * 1024]);
    tried(&skill).refused_package();
}

#[test]
fn unportable_paths_are_refused() {
    let skill = Skill::named("paths")
        .file("con.txt", "x")
        .file("docs/NUL", "x")
        .file("aux/inner.md", "x")
        .file("com1", "x")
        .file("ends.with.dot.", "x")
        .file("ends with space ", "x")
        .file("a:b", "x")
        .file("console.txt", "fine")
        .file("nullable", "fine");
    let mut named = tried(&skill).refused_paths();
    named.dedup();
    let expected =
        ["a:b", "aux/inner.md", "com1", "con.txt", "docs/NUL", "ends with space ", "ends.with.dot."];
    assert_eq!(named, expected, "every offender, and no other");
}

#[test]
fn long_paths_and_control_characters_are_refused() {
    let long = format!("{}/{}", "d".repeat(150), "f".repeat(105));
    let skill = Skill::named("odd-paths").file(&long, "x").file("bell\u{7}", "x").file("back\\slash", "x");
    let mut named = tried(&skill).refused_paths();
    named.dedup();
    assert_eq!(named.len(), 3, "{named:?}");
}

#[test]
fn two_names_for_one_file_are_refused() {
    for (one, other) in [
        ("Readme.txt", "README.TXT"),
        ("straße", "STRASSE"),
        ("caf\u{e9}", "cafe\u{301}"),
        ("Dir/a", "dir/A"),
    ] {
        let named = tried(&Skill::named("doubles").file(one, "1").file(other, "2")).refused_paths();
        assert!(named.iter().any(|path| path == one || path == other), "{one} and {other}: {named:?}");
    }
}

#[test]
fn file_that_is_also_a_folder_is_refused() {
    let named = tried(&Skill::named("both").file("thing", "x").file("thing/inner", "x")).refused_paths();
    assert!(named.iter().any(|path| path.starts_with("thing")), "{named:?}");
}

#[test]
fn errors_of_several_kinds_are_all_named() {
    let mut text = b"---\nname: several\n---\n".to_vec();
    text.extend_from_slice(b"Text.\n");
    let skill =
        Skill::of_text(&text).file("con", "x").file("a/prn.md", "x").file("same", "x").file("SAME", "x");
    let named = tried(&skill).refused_paths();
    for path in ["SKILL.md", "a/prn.md", "con"] {
        assert!(named.iter().any(|other| other == path), "{path} is not among {named:?}");
    }
    assert!(named.iter().any(|path| path.eq_ignore_ascii_case("same")), "{named:?}");
}
