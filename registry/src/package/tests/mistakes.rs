//! What is valid but probably not meant is a warning, and errors of YAML are explained in plain words.

use super::super::{Package, Strictness, finding_codes, placeholders};
use super::{file, options, strict, tolerant};

/// The warnings of a strict package: code, line and message.
fn warnings(text: &str) -> Vec<(String, Option<u64>, String)> {
    let package = strict(text).unwrap_or_else(|why| panic!("{text:?}: {why}"));
    package.warnings.into_iter().map(|found| (found.code, found.line, found.message)).collect()
}

#[test]
fn comment_in_a_text_is_told_with_the_lost_text() {
    for (yaml, line, lost) in [
        ("description: Convert # to headings\n", 3, "`# to headings`"),
        ("description: a\t# tab\n", 3, "`# tab`"),
        ("description: first\n  second # third\n", 4, "`# third`"),
        ("description: d\nlicense: MIT # or later\n", 4, "`# or later`"),
        ("description: d\nmetadata:\n  title: C # sharp\n", 5, "`# sharp`"),
    ] {
        let found = warnings(&format!("---\nname: x\n{yaml}---\n"));
        assert_eq!(found.len(), 1, "{yaml:?}: {found:?}");
        let (code, at, message) = &found[0];
        assert_eq!((code.as_str(), *at), (finding_codes::COMMENT_IN_TEXT, Some(line)), "{yaml:?}");
        assert!(message.contains(lost) && message.contains("quotes"), "{message}");
    }
    for yaml in [
        "description: 'Convert # to headings'\n",
        "description: \"Convert # to headings\" # note\n",
        "description: >\n  Convert # to headings\n",
        "description: C# and a#1\n",
        "# a comment\ndescription: d\n  # a comment\n",
        "description: d\nversion: 1.0.0 # released\n",
        "description: d\nother: x # y\n",
        "description: d\nallowed-tools: [a] # y\n",
    ] {
        assert_eq!(warnings(&format!("---\nname: x\n{yaml}---\n")), [], "{yaml:?}");
    }
    let text = "---\nname: x\ndescription: Use when: a # b\n---\n";
    assert_eq!(tolerant(text).unwrap().manifest.description, "Use when: a # b");
}

#[test]
fn misspelled_key_and_placeholder_are_told() {
    for (key, known) in [
        ("licence", "license"),
        ("Version", "version"),
        ("allowed_tools", "allowed-tools"),
        ("keyword", "keywords"),
    ] {
        let found = warnings(&format!("---\nname: x\ndescription: d\n{key}: a\n---\n"));
        assert_eq!((found.len(), found[0].1), (1, Some(4)), "{key}: {found:?}");
        assert!(found[0].2.contains(&format!("`{known}`")), "{found:?}");
    }
    assert_eq!(
        warnings("---\nname: x\ndescription: d\nlicense: a\nlicence: b\nmodel: c\nauthor: d\n---\n"),
        []
    );
    // Beside the error about the missing key.
    let refusal = strict("---\nname: x\ndescripton: d\n---\n").unwrap_err();
    assert_eq!(refusal.findings[0].code, finding_codes::DESCRIPTION_MISSING);
    assert_eq!(refusal.warnings[0].code, finding_codes::KEY_MISSPELLED);
    let text = format!(
        "---\nname: x\ndescription: {}\n---\n\n# X\n\n{}\n",
        placeholders::DESCRIPTION,
        placeholders::STEPS
    );
    let found = warnings(&text);
    assert_eq!(found.iter().map(|found| found.1).collect::<Vec<_>>(), [Some(3), Some(8)]);
    assert!(found.iter().all(|found| found.0 == finding_codes::PLACEHOLDER_LEFT), "{found:?}");
}

#[test]
fn link_to_a_file_that_was_left_out_is_told() {
    let text = "---\nname: x\ndescription: d\n---\n\n[a](docs/a.md) ![b](docs/b.png) [c](x.pyc)\n";
    let files = vec![file("SKILL.md", text), file("docs/a.md", "a"), file("x.pyc", "c")];
    let package = Package::from_files(files, &options(Strictness::Strict)).unwrap();
    let found: Vec<_> = package.warnings.iter().map(|found| (found.code.as_str(), found.line)).collect();
    let broken = (finding_codes::LINK_BROKEN, Some(6));
    let compiled = (finding_codes::COMPILED_PYTHON, None);
    assert_eq!(
        found,
        [broken, broken, compiled, (finding_codes::JUNK_DROPPED, None)],
        "{:?}",
        package.warnings
    );
}

/// Words of the parser that nobody should read.
const PARSER_WORDS: [&str; 16] = [
    "scalar",
    "flow ",
    "mapping",
    "sequence",
    "simple key",
    "block end",
    "did not find",
    "token",
    "in this context",
    "unexpected",
    "indicator",
    "saphyr",
    "serde",
    "document start",
    "invalid type",
    "node",
];

#[test]
fn invalid_yaml_is_explained_with_a_remedy_that_fits() {
    let mut wrong = Vec::new();
    for (yaml, line, what, remedy) in [
        (
            "argument-hint: [date] [duration]",
            4,
            "`argument-hint` begins with `[`",
            "whole value of `argument-hint`",
        ),
        (
            "argument-hint: [a] or [b]",
            4,
            "goes on after its end",
            "whole value of `argument-hint` into quotes",
        ),
        ("x: {x} y", 4, "`x` begins with `{`", "whole value of `x` into quotes"),
        ("x: [a, b", 4, "does not end like one", "close every `[` and `{`"),
        ("x: [a, b\ny: 1", 4, "does not end like one", "close every `[` and `{`"),
        ("x: {a: 1", 4, "does not end like one", "close every `[` and `{`"),
        ("x: a: b", 4, "`x` has a `: `", "text with `: ` in it into quotes"),
        ("x:\n  in: a: b", 5, "`in` has a `: `", "into quotes"),
        ("x:\n\ty: a", 5, "tab", "spaces instead of tabs"),
        ("x: @a", 4, "begins with `@`", "begins with this character into quotes"),
        ("x: `a`", 4, "begins with ``", "begins with this character into quotes"),
        ("x: %a", 4, "begins with `%`", "begins with this character into quotes"),
        ("x: - a: b", 4, "as the item of a list", "begins with `- ` into quotes"),
        ("x: \"a", 4, "not closed", "close the quotes"),
        ("x: \"a\ny: 1", 4, "not closed", "close the quotes"),
        ("x: 'a\ny: b", 4, "not closed", "close the quotes"),
        ("x: 'it's'", 4, "after its closing quote", "`''` for a `'`"),
        ("x: \"a\" b", 4, "after its closing quote", "single quotes"),
        ("x: \"\\d\"", 4, "backslash", "single quotes"),
        ("key:value", 4, "no space after `key:`", "`key: value`"),
        ("x: a\nx: b", 5, "the key `x` appears twice", "remove one"),
        ("x: a\n  y: b", 5, "indented as if", "a key of its own"),
        ("x:\n    a: 1\n  b: 2", 6, "indentation of `b`", "same column"),
        ("x: *a", 4, "begins with `*`", "into quotes"),
        ("x: **bold** text", 4, "begins with `*`", "into quotes"),
        ("x: &a b", 4, "begins with `&`", "into quotes"),
        ("x: > a", 4, "after `>`", "on the line below"),
        ("<<: {a: 1}", 4, "`<<`", "write the keys out"),
        ("just text", 4, "", "`key: value`"),
        ("x: [a: b: c]", 4, "", "brackets into quotes"),
        ("x: }", 4, "", "into quotes"),
    ] {
        let text = format!("---\nname: n\ndescription: d\n{yaml}\n---\n");
        let refusal = match strict(&text) {
            Err(refusal) => refusal,
            Ok(_) => panic!("{yaml:?} is valid"),
        };
        let [finding] = refusal.findings.as_slice() else { panic!("{yaml:?}: {refusal}") };
        assert_eq!(finding.code, finding_codes::FRONT_MATTER_INVALID, "{yaml:?}: {finding}");
        let message = &finding.message;
        let spoken = PARSER_WORDS.iter().find(|word| message.contains(**word));
        if !message.contains(what)
            || !message.contains(remedy)
            || finding.line != Some(line)
            || spoken.is_some()
        {
            wrong.push(format!("{yaml:?} at {line}, {what:?}, {remedy:?}, {spoken:?}: {finding}"));
        }
        // Repairs are explained in the same words.
        for warning in tolerant(&text).unwrap().warnings {
            assert!(!PARSER_WORDS.iter().any(|word| warning.message.contains(word)), "{warning}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn name_that_is_no_slug_is_refused_with_the_slug_to_write() {
    let long = "Long ".repeat(30);
    for (name, slug) in [
        ("My_Skill", "my-skill"),
        ("PDF Forms", "pdf-forms"),
        ("pdf.forms", "pdf-forms"),
        ("Café", "cafe"),
        ("-lead", "lead"),
        ("2Fast", "2fast"),
        ("trail-", "trail"),
        (long.trim(), "long-long"),
        // None can be made of it, so the folder's name is proposed.
        ("日本", "the-folder"),
    ] {
        let text = format!("---\nname: \"{name}\"\ndescription: d\n---\n");
        let read = Package::from_files(vec![file("The_Folder/SKILL.md", text)], &options(Strictness::Strict));
        let refusal = read.unwrap_err();
        let message = &refusal.findings[0].message;
        assert!(message.contains(&format!("write `{slug}")), "{name}: {message}");
    }
}
