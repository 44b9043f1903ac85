//! Manifests, strict and tolerant.

use proptest::prelude::*;

use super::super::{Limits, LooseFile, Package, ReadOptions, Strictness, finding_codes};
use super::{SKILL, codes, file, options, refused, strict, tolerant};

#[test]
fn plain_skill_is_read() {
    let files = vec![
        file("my-skill/SKILL.md", SKILL),
        LooseFile { executable: true, ..file("my-skill/run.sh", "#!/bin/sh\n") },
    ];
    let package = Package::from_files(files, &options(Strictness::Strict)).unwrap();
    let manifest = &package.manifest;
    assert_eq!(manifest.slug().unwrap().as_str(), "a-skill");
    assert_eq!(manifest.description, "Does things.");
    assert_eq!((manifest.version.as_ref(), manifest.slug_from_source.as_ref()), (None, None));
    let files: Vec<_> = package.files.iter().map(|f| (f.path.as_str(), f.size, f.executable)).collect();
    assert_eq!(files, [("SKILL.md", SKILL.len() as u64, false), ("run.sh", 10, true)]);
    assert_eq!(package.unpacked_size(), SKILL.len() as u64 + 10);
    assert_eq!(package.read("run.sh"), Some(&b"#!/bin/sh\n"[..]));
    assert_eq!(package.read("none"), None);
    assert!(package.warnings.is_empty());
}

#[test]
fn all_fields_are_read() {
    let text = "---\nname: team--a-skill\ndescription: >\n  Does\n  things.\nversion: 1.10\nlicense: MIT\n\
                homepage: https://example.org/x\nkeywords: a, b c ,,a\nmetadata:\n  title: A Skill\n  n: 1\n---\n";
    let package = strict(text).unwrap();
    let m = &package.manifest;
    let claim = m.requested_name.as_ref().unwrap();
    assert_eq!((claim.namespace.as_ref().unwrap().as_str(), claim.slug.as_str()), ("team", "a-skill"));
    assert_eq!(m.version.as_ref().unwrap().version.to_string(), "1.10.0");
    assert_eq!((m.description.as_str(), m.title.as_deref()), ("Does things.", Some("A Skill")));
    assert_eq!((m.license.as_deref(), m.homepage.as_deref()), (Some("MIT"), Some("https://example.org/x")));
    assert_eq!(m.keywords, ["a", "b c"]);
    assert_eq!(m.front_matter["metadata"]["n"], 1);
    assert_eq!(codes(&package.warnings), [finding_codes::VERSION_REPAIRED]);
    assert_eq!(package.warnings[0].line, Some(6));
}

#[test]
fn unusable_metadata_does_not_count_beside_a_key() {
    for metadata in [
        "version: draft",
        "version: [1]",
        "homepage: none",
        "homepage: {a: b}",
        "keywords: ''",
        "tags: {a: b}",
    ] {
        let text = format!(
            "---\nname: x\ndescription: d\nversion: 1.2.0\nhomepage: https://a.example\nkeywords: a\n\
             metadata:\n  {metadata}\n---\n"
        );
        let manifest = strict(&text).unwrap().manifest;
        assert_eq!(manifest.version.unwrap().version.to_string(), "1.2.0", "{metadata}");
        assert_eq!(manifest.homepage.as_deref(), Some("https://a.example"), "{metadata}");
        assert_eq!(manifest.keywords, ["a"], "{metadata}");
    }
}

#[test]
fn invalid_skill_is_refused_with_the_line() {
    let fm = |lines: &str| format!("---\nname: x\n{lines}---\n");
    let long = "x".repeat(1025);
    for (text, code, line) in [
        ("# Only text\n".to_owned(), finding_codes::FRONT_MATTER_MISSING, Some(1)),
        ("---\nname: x\n".to_owned(), finding_codes::FRONT_MATTER_UNCLOSED, Some(1)),
        (fm("description: a: b\n"), finding_codes::FRONT_MATTER_INVALID, Some(3)),
        (fm("description: d\ndescription: e\n"), finding_codes::FRONT_MATTER_INVALID, Some(4)),
        (fm(&format!("x: {}\n", "y".repeat(70_000))), finding_codes::FRONT_MATTER_TOO_LARGE, Some(1)),
        (fm(""), finding_codes::DESCRIPTION_MISSING, Some(1)),
        (fm("description: ''\n"), finding_codes::DESCRIPTION_MISSING, Some(3)),
        (fm("description: 12\n"), finding_codes::DESCRIPTION_INVALID, Some(3)),
        (fm(&format!("description: {long}\n")), finding_codes::DESCRIPTION_INVALID, Some(3)),
        (fm("description: d\nversion: one\n"), finding_codes::VERSION_INVALID, Some(4)),
        (fm("description: d\nmetadata:\n  version: x\n"), finding_codes::VERSION_INVALID, Some(5)),
        (fm("description: d\nhomepage: javascript:x\n"), finding_codes::HOMEPAGE_INVALID, Some(4)),
        (fm("description: d\nlicense: [a]\n"), finding_codes::LICENSE_INVALID, Some(4)),
        (fm(&format!("description: d\ntitle: {}\n", &long[..129])), finding_codes::TITLE_INVALID, Some(4)),
        (fm("description: d\ntags: [[a]]\n"), finding_codes::KEYWORDS_INVALID, Some(4)),
        ("---\nname: My Skill\ndescription: d\n---\n".to_owned(), finding_codes::NAME_INVALID, Some(2)),
    ] {
        assert_eq!(refused(strict(&text)), [(code.to_owned(), line)], "{code}");
    }
    for (yaml, remedy) in [
        ("description: a: b", "a text with `: ` in it into quotes"),
        ("description: [a", "close every `[` and `{`"),
        ("description: {a: b", "close every `[` and `{`"),
        ("description: {a: [b}", "close every `[` and `{`"),
        ("description: 'a", "close the quotes"),
        ("description: 'it's'", "write `''` for a `'`"),
        ("description: \"a\" b", "into single quotes"),
        ("description: \"C:\\q\"", "write `\\\\` for a backslash"),
        ("description: @a", "begins with this character into quotes"),
        ("description: a\u{1b}", "remove the control character"),
        ("description: *a* b", "begins with `*` or `&` into quotes"),
        ("description: &a b", "begins with `*` or `&` into quotes"),
        ("description: a\ndescription: b", "remove one of the two"),
        ("description:\n\tk: a", "spaces instead of tabs"),
        ("description: a\nand so on", "write each line as `key: value`"),
        ("description: > a b", "below `|` or `>`"),
        ("description: - a", "begins with `- ` into quotes"),
        ("<<: {a: b}", "write the keys out"),
    ] {
        let why = strict(&fm(&format!("{yaml}\n"))).unwrap_err().to_string();
        assert!(why.contains(", column") && why.contains(remedy), "{yaml:?}: {why}");
    }
    let bytes = Package::from_files(vec![file("SKILL.md", b"a\n\xff")], &options(Strictness::Tolerant));
    assert_eq!(refused(bytes), [(finding_codes::SKILL_MD_NOT_UTF8.to_owned(), Some(2))]);
    let none =
        Package::from_files(vec![file("skills.md", SKILL), file("b", "")], &options(Strictness::Strict));
    assert_eq!(refused(none), [(finding_codes::SKILL_MD_MISSING.to_owned(), None)]);
}

#[test]
fn invalid_skill_is_repaired_if_tolerant() {
    let text = "\n---\nname: My Skill\ndescription: Use when: always\nversion: one\nhomepage: x\n---\n";
    let package = tolerant(text).unwrap();
    let m = &package.manifest;
    assert_eq!((m.slug().unwrap().as_str(), m.description.as_str()), ("my-skill", "Use when: always"));
    assert!(m.version.is_none() && m.homepage.is_none());
    let warned: Vec<_> = package.warnings.iter().map(|w| (w.code.as_str(), w.line)).collect();
    assert_eq!(
        warned,
        [
            (finding_codes::FRONT_MATTER_MISSING, Some(2)),
            (finding_codes::NAME_REPAIRED, Some(3)),
            (finding_codes::FRONT_MATTER_REPAIRED, Some(4)),
            (finding_codes::VERSION_INVALID, Some(5)),
            (finding_codes::HOMEPAGE_INVALID, Some(6))
        ]
    );
    let unclosed = tolerant("---\nname: x\ndescription: Said.\n\n# Title\nText.\n").unwrap();
    assert_eq!(unclosed.manifest.description, "Said.");
    let rule = tolerant("---\n# Title\n\nText *here*.\n---\nMore.\n").unwrap();
    assert_eq!(rule.manifest.description, "Text here.");
    let long = tolerant(&format!("# T\n\n{}\n", "é".repeat(2000))).unwrap();
    assert_eq!(long.manifest.description.chars().count(), 1024);
    assert_eq!(refused(tolerant("# Title\n")), [(finding_codes::DESCRIPTION_MISSING.to_owned(), Some(1))]);
}

#[test]
fn control_and_invisible_characters_are_refused_or_removed() {
    let escapes = [
        r"\0",
        r"\e",
        r"\x1b[31m",
        r"\x85",
        r"\x9b",
        r"\u202e",
        r"\u2066",
        r"\u200b",
        r"\U000e0041",
        r"\x7f",
    ];
    for escape in escapes {
        for (yaml, code) in [
            (format!("description: \"a{escape}b\"\n"), finding_codes::DESCRIPTION_INVALID),
            (format!("description: d\ntitle: \"a{escape}b\"\n"), finding_codes::TITLE_INVALID),
            (format!("description: d\nlicense: \"a{escape}b\"\n"), finding_codes::LICENSE_INVALID),
            (format!("description: d\nkeywords: [\"a{escape}b\"]\n"), finding_codes::KEYWORDS_INVALID),
            (format!("description: d\nmetadata: {{title: \"a{escape}b\"}}\n"), finding_codes::TITLE_INVALID),
            (format!("description: d\nx: [{{\"k{escape}\": 1}}]\n"), finding_codes::FRONT_MATTER_INVALID),
        ] {
            let text = format!("---\nname: x\n{yaml}---\n");
            let line = 2 + yaml.matches('\n').count() as u64;
            assert_eq!(refused(strict(&text)), [(code.to_owned(), Some(line))], "{text:?}");
            let package = tolerant(&text).unwrap();
            assert_eq!(codes(&package.warnings), [code], "{text:?}");
            let m = &package.manifest;
            let shown = format!("{:?}{:?}{:?}{:?}", m.description, m.title, m.license, m.keywords);
            let stored = serde_json::to_string(&m.front_matter).unwrap();
            for all in [shown, stored] {
                assert!(
                    !all.contains(r"\u") && !all.contains('\u{9b}') && !all.contains('\u{202e}'),
                    "{all:?}"
                );
            }
        }
    }
    let fine = "---\nname: x\ndescription: \"می\\u200cخواهم שלום\\u200f! 👩\\u200d💻 a\\tb\\nc\"\n---\n";
    assert!(strict(fine).unwrap().warnings.is_empty());
    let text = tolerant("# Ti\u{202e}tle\n\nDoes \u{1b}[31mthings\u{200b}.\n").unwrap().manifest;
    assert_eq!((text.headings[0].as_str(), text.description.as_str()), ("Title", "Does [31mthings."));
}

#[test]
fn front_matter_can_be_stored_and_read_again() {
    for reserved in ["$serde_json::private::RawValue", "$serde_json::private::Raw\u{200b}Value"] {
        let yaml = format!("name: x\ndescription: y\nmetadata:\n  in:\n    \"{reserved}\": \"{{\"\n  a: 1\n");
        let front_matter = tolerant(&format!("---\n{yaml}---\n")).unwrap().manifest.front_matter;
        let stored = serde_json::to_string(&front_matter).unwrap();
        let again: serde_json::Map<_, _> = serde_json::from_str(&stored).unwrap();
        assert_eq!(again, front_matter, "{reserved}");
    }
}

#[test]
fn skill_without_name_is_named_by_its_source() {
    let text = "---\ndescription: d\n---\n";
    let limits = Limits::default();
    let named = |paths: &[&str]| {
        let files = paths.iter().map(|path| file(path, text)).collect();
        let options = ReadOptions {
            source_name: Some("uploads/The_Zip.zip"),
            strictness: Strictness::Strict,
            limits: &limits,
            allowed_files: &[],
        };
        let package = Package::from_files(files, &options).unwrap();
        // Only a publication knows which name is used in the end.
        assert!(package.warnings.iter().all(|found| found.code == finding_codes::SKILL_MD_RENAMED));
        let warned = package.missing_name("it was guessed").unwrap();
        assert_eq!((warned.code.as_str(), warned.line), (finding_codes::NAME_MISSING, Some(1)));
        package.manifest.slug().unwrap().to_string()
    };
    assert_eq!(named(&["SKILL.md"]), "the-zip");
    assert_eq!(named(&["top-folder/skill.md"]), "top-folder");
    assert!(strict(text).unwrap().manifest.slug().is_none());
}

#[test]
fn secret_is_refused_and_possible_secret_is_a_warning() {
    let key = ["-----BEGIN ", "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n"].concat();
    let files = vec![file("SKILL.md", SKILL), file("a/key.pem", format!("\n{key}"))];
    assert_eq!(
        refused(Package::from_files(files, &options(Strictness::Tolerant))),
        [(finding_codes::SECRET_FOUND.to_owned(), Some(2))]
    );
    let files = vec![file("SKILL.md", format!("{SKILL}{}", key.replace("MII", "...MII")))];
    let package = Package::from_files(files, &options(Strictness::Strict)).unwrap();
    assert_eq!(codes(&package.warnings), [finding_codes::SECRET_SUSPECTED]);
}

#[test]
fn loose_files_over_a_limit_are_refused() {
    let limits = Limits { file: 100, unpacked: 150, ..Limits::default() };
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &limits,
        allowed_files: &[],
    };
    let files = vec![file("SKILL.md", SKILL), file("a", [b'x'; 101])];
    assert_eq!(refused(Package::from_files(files, &options)).len(), 2);
}

/// The text of a SKILL.md: noise, or front matter that is mostly valid.
fn skill_md() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => "(---\n)?([a-z]{0,4}[:\\-#|>'\"\\[{&* \n]{0,3}){0,20}(---\n)?.{0,20}",
        3 => "---\n(name: [a-z]{1,4}\n)?(description: [a-zA-Z '\"#-]{1,20}\n)\
              ([a-z]{1,4}: [a-z:#|>'\"\\[{&*]{0,4}\n)?---\n.{0,20}",
    ]
}

proptest! {
    #[test]
    fn archive_read_again_is_the_same_package(
        files in proptest::collection::btree_map("[a-c]{1,3}(/[d-f]{1,2}(\\.md|\\.bin)?)?", (any::<bool>(), proptest::collection::vec(any::<u8>(), 0..80)), 0..8),
    ) {
        let mut all = vec![file("SKILL.md", SKILL)];
        all.extend(files.into_iter().map(|(path, (executable, content))| LooseFile { path, executable, content }));
        let turned = all.iter().rev().cloned().collect();
        let package = Package::from_files(all, &options(Strictness::Strict));
        prop_assume!(package.is_ok());
        let package = package.unwrap();
        let archive = package.archive().unwrap();
        let again = Package::from_zip(&archive, &options(Strictness::Strict)).unwrap();
        prop_assert_eq!(&again.files, &package.files);
        prop_assert_eq!(&again.manifest, &package.manifest);
        prop_assert_eq!(&again.content_digest, &package.content_digest);
        prop_assert_eq!(&again.archive().unwrap(), &archive);
        // The order of the files does not matter.
        let turned = Package::from_files(turned, &options(Strictness::Strict)).unwrap();
        prop_assert_eq!(turned.archive().unwrap(), archive);
    }

    #[test]
    fn tolerated_text_has_a_description(text in skill_md()) {
        let _ = strict(&text);
        let package = tolerant(&text);
        prop_assume!(package.is_ok());
        prop_assert!((1..=1024).contains(&package.unwrap().manifest.description.chars().count()));
    }

    #[test]
    fn strictly_valid_text_is_read_tolerantly_without_a_change(name in "[a-z]{1,5}", text in "[a-zA-Z :'\"#\\-]{1,30}") {
        let skill = format!("---\nname: {name}\ndescription: {text}\n---\nBody\n");
        let package = strict(&skill);
        prop_assume!(package.is_ok());
        let (package, other) = (package.unwrap(), tolerant(&skill).unwrap());
        prop_assert_eq!(&package.manifest, &other.manifest);
        prop_assert_eq!(&package.warnings, &other.warnings);
    }
}
