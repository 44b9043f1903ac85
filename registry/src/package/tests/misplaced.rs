//! Front matter that is not quite at the top, not closed, or interrupted.

use super::super::{Limits, Package, finding_codes, skill_md_text};
use super::{codes, refused, strict, tolerant};

const FRONT: &str = "name: a-skill\ndescription: Does things.\n";

/// Name, description and text of a package.
fn read(skill_md: &str) -> (Option<String>, String, String) {
    let package = tolerant(skill_md).unwrap_or_else(|why| panic!("{skill_md:?}: {why}"));
    let name = package.manifest.requested_name.as_ref().map(|name| name.slug.to_string());
    (name, package.manifest.description.clone(), text(&package))
}

fn text(package: &Package) -> String {
    let archive = package.archive().unwrap();
    let size = archive.len() as u64;
    skill_md_text(std::io::Cursor::new(archive), size, 1 << 20).unwrap().unwrap().body().into_owned()
}

fn read_as(skill_md: &str, text: &str) {
    let expected = (Some("a-skill".to_owned()), "Does things.".to_owned(), text.to_owned());
    assert_eq!(read(skill_md), expected, "{skill_md:?}");
}

#[test]
fn name_in_the_text_gives_no_more_front_matter_than_there_may_be() {
    let package = tolerant(&format!("Name: x\nDescription: {}\n", "wörds ".repeat(50_000))).unwrap();
    let stored = serde_json::to_string(&package.manifest.front_matter).unwrap();
    let limit = Limits::default().front_matter;
    assert!((limit / 2..limit + 100).contains(&stored.len()), "{}", stored.len());
}

#[test]
fn front_matter_below_other_lines_is_read_if_tolerant() {
    for (above, text) in [
        ("\n\n", "Text\n"),
        ("<!-- a comment -->\n", "Text\n"),
        ("---\n", "Text\n"),
        ("\u{200b}", "Text\n"),
        ("# Title\n", "# Title\n\n\n\n\nText\n"),
        ("A line.\n\n", "A line.\n\n\n\n\n\nText\n"),
    ] {
        read_as(&format!("{above}---\n{FRONT}---\nText\n"), text);
    }
    for (front, text) in [
        (FRONT.to_owned(), "\nText\n"),
        (format!("{FRONT}---\n"), "\nText\n"),
        (format!("----\n{FRONT}----\n"), "\nText\n"),
        (format!("```yaml\n{FRONT}```\n"), "\nText\n"),
        (format!("```\n---\n{FRONT}---\n```\n"), "\nText\n"),
        (format!("---\n{FRONT}...\n"), "\nText\n"),
    ] {
        read_as(&format!("{front}\nText\n"), text);
    }
    read_as(&format!("{FRONT}version: 1.2.0\nmore:\n  - a\n"), "");
    let labels = "**Name:** a-skill\n**Description:** Does *things*.\n\nText\n";
    read_as(labels, labels);
    assert_eq!(codes(&tolerant(labels).unwrap().warnings), [finding_codes::FRONT_MATTER_MISSING]);
}

#[test]
fn front_matter_below_other_lines_is_named_if_strict() {
    for (skill_md, line, says) in [
        (format!("\n---\n{FRONT}---\n"), 2, "the front matter on line 2 has to come first: begin the file"),
        (format!("<!-- a\nb -->\n---\n{FRONT}---\n"), 3, "the front matter on line 3 has to come first"),
        (format!("# Title\n---\n{FRONT}---\n"), 2, "the front matter on line 2 has to come first"),
        (format!("---\n---\n{FRONT}---\n"), 2, "the front matter on line 2 has to come first"),
        (FRONT.to_owned(), 1, "the front matter on line 1 has no line `---` above it: write one"),
        (format!("```yaml\n{FRONT}```\n"), 1, "the front matter on line 1 is in a block of code"),
        ("**Name:** x\n".to_owned(), 1, "there is no front matter: begin the file with a line `---`"),
    ] {
        let result = strict(&skill_md);
        let why = result.as_ref().err().unwrap().to_string();
        assert!(why.contains(says), "{skill_md:?}: {why}");
        assert_eq!(refused(result), [(finding_codes::FRONT_MATTER_MISSING.to_owned(), Some(line))]);
    }
}

#[test]
fn text_below_unclosed_front_matter_is_kept() {
    let rule: String = (0..39).map(|n| format!("Line {n}\n\n")).collect();
    for text in [
        format!("\n# Heading\n\n{rule}---\n\nMore\n"),
        "\n# Heading\nText\n".to_owned(),
        "Text\n\n---\nMore\n".to_owned(),
        "\n- an item\n\n---\nMore\n".to_owned(),
    ] {
        let skill_md = format!("---\n{FRONT}{text}");
        read_as(&skill_md, &text);
        assert!(
            codes(&tolerant(&skill_md).unwrap().warnings).contains(&finding_codes::FRONT_MATTER_UNCLOSED)
        );
        let code = finding_codes::FRONT_MATTER_UNCLOSED.to_owned();
        assert_eq!(refused(strict(&skill_md)), [(code, Some(1))], "{skill_md:?}");
    }
    let indented =
        "---\nname: a-skill\ndescription: |\n    Does things.\n    ---\n    # Heading\n\n      code\n";
    read_as(indented, "# Heading\n\n  code\n");
    let indented = "---\nname: a-skill\ndescription: |\n    Does things.\n\n    # Heading\n    Text\n";
    read_as(indented, "\n# Heading\nText\n");
    // A line that was not indented, in front matter that is closed.
    let wrapped = format!("---\n{}license: MIT\n---\nText\n", FRONT.replace("Does ", "Does\n"));
    read_as(&wrapped, "Text\n");
}

#[test]
fn merge_conflict_is_refused() {
    let conflict = "<<<<<<< HEAD\ndescription: a\n=======\ndescription: b\n>>>>>>> topic\n";
    for (skill_md, line) in [
        (format!("---\nname: x\n{conflict}---\nText\n"), 3),
        (format!("---\nname: x\n{conflict}\nText\n"), 3),
        (format!("---\nname: x\n{}---\nText\n", conflict.replace("=======", "|||||||\n=======")), 3),
    ] {
        for result in [strict(&skill_md), tolerant(&skill_md)] {
            let why = result.as_ref().err().unwrap_or_else(|| panic!("{skill_md:?}")).to_string();
            assert!(why.contains("merge conflict: resolve"), "{skill_md:?}: {why}");
            assert_eq!(refused(result), [(finding_codes::FRONT_MATTER_INVALID.to_owned(), Some(line))]);
        }
    }
    for skill_md in [
        format!("<<<<<<< HEAD\n---\n{FRONT}---\n=======\n---\n{FRONT}---\n>>>>>>> x\n"),
        conflict.to_owned(),
        "# Title\n\nText\n<<<<<<< HEAD\nmore\n=======\nless\n>>>>>>> x\n".to_owned(),
    ] {
        let why = tolerant(&skill_md).err().unwrap_or_else(|| panic!("{skill_md:?}")).to_string();
        assert!(why.contains("merge conflict: resolve"), "{skill_md:?}: {why}");
    }
    let shown = format!("---\n{FRONT}---\n```\n{conflict}```\n");
    assert!(strict(&shown).is_ok());
}

#[test]
fn first_paragraph_above_a_quote_or_rule_is_kept() {
    for skill_md in [
        "Does things.\n\n> A quote\n---\nMore\n",
        "Does things.\n> A quote\n---\nMore\n",
        "# Title\n\nDoes things.\n\n> A quote\n\n---\nMore\n",
        "---\n# Title\n---\nDoes things.\n",
        "---\n# Title\n\nDoes things.\n\n> A quote\n---\nMore\n",
        "---\n\nDoes things.\n> A quote\n---\nMore\n",
    ] {
        assert_eq!(read(skill_md), (None, "Does things.".to_owned(), skill_md.to_owned()), "{skill_md:?}");
    }
}
