use proptest::prelude::*;

use super::*;

#[test]
fn headings_of_both_styles_are_found() {
    let text =
        "# One\n  ## Two ##\n###### Six #\n#\tTab\n### a#\n# ###\n#\n\nOver\n=====\n\nTwo\nlines\n---\n";
    assert_eq!(headings(text), ["One", "Two", "Six", "Tab", "a#", "Over", "Two lines"]);
    assert_eq!(headings("# One\r\nOver\r\n---\r\n"), ["One", "Over"]);
    assert_eq!(headings("# One\r# Two\r\rText\r---\r"), ["One", "Two", "Text"]);
    assert_eq!(headings("Text\n# One\nText\n***\n---\n"), ["One"]);
}

#[test]
fn headings_lose_markup_and_images() {
    for (markdown, text) in [
        ("**Big** `code_x` [world](http://x) _em_", "Big code_x world em"),
        ("snake_case \\# \\*x\\* 2 * 3 &amp; /_x/", "snake_case # *x* 2 * 3 & /_x/"),
        ("a <b>c</b> <!-- d --> e < f", "a c e < f"),
        ("`a <b>` ``c`d`` `[e](f)", "a <b> c`d `e"),
        ("![image](x) [![b](x)](y) [not] (a", "[not] (a"),
        ("Record<string, T>", "Record<string, T>"),
        (" a \t b ", "a b"),
    ] {
        assert_eq!(headings(&format!("# {markdown}\n")), [text], "{markdown:?}");
    }
    assert_eq!(headings("# ![i](x)\n# \u{7} \u{1b}\n"), [""; 0]);
}

#[test]
fn headings_in_code_comments_quotes_and_lists_are_left_out() {
    for none in [
        "#One\n####### Seven\n\\# One\n",
        "    # One\n",
        "\t# One\n",
        "```\n# One\n~~~\n# Two\n```\n",
        "~~~~ md\n# One\n~~~\n# Two\n",
        "````\n```\n# One\n```\n````\n",
        "- ```sh\n  # One\n  ```\n",
        "1. a\n   ```sh\n   # One\n   ```\n",
        "<!-- a\n# One\n\n# Two -->\n<!-- b -->\n",
        "> # One\n- # Two\n- a\n\n  # Three\n",
        "---\n\n---\n",
        "- a\n---\n> b\n---\n- d\ne\n---\n",
        "| c |\n|---|\n| d |\n",
        "- a\n\n  b\n---\n",
        "    a\n---\n",
        "a\n\n---\n",
    ] {
        assert_eq!(headings(none), [""; 0], "{none:?}");
    }
}

#[test]
fn heading_after_another_block_is_found() {
    for text in [
        "```\na\n```\n# One\n",
        "```sh\n# a\n   ````\n# One\n",
        "- ```\n  # a\n# One\n",
        "<!-- a\n-->\n# One\n",
        "<!-- a --> b\n# One\n",
        "``` a`b\n# One\n",
        "- a\n# One\n- b\n",
        "a\n    # b\n***\n# One",
        "<br>\n---\n\nOne\n---\n",
    ] {
        assert_eq!(headings(text), ["One"], "{text:?}");
    }
}

#[test]
fn headings_over_a_limit_are_cut_or_left_out() {
    let many: String = (0..100).map(|n| format!("# {n}\n# {n}\n")).collect();
    assert_eq!(headings(&many), (0..MAX_HEADINGS).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(headings(&format!("# {}\n", "é".repeat(300))), ["é".repeat(MAX_HEADING_CHARS)]);
    assert_eq!(headings(&format!("# {} b\n", "a".repeat(127))), ["a".repeat(127)]);
    let long: String = (10..40).map(|n| format!("# {n}{}\n", "a".repeat(126))).collect();
    assert_eq!(headings(&long).len(), MAX_HEADINGS_BYTES / MAX_HEADING_CHARS);
    let far = format!("# One\n{}\n# Two\n", "é\n".repeat(MAX_MARKDOWN_BYTES / 3));
    assert_eq!(headings(&far), ["One"]);
}

#[test]
fn first_paragraph_skips_other_blocks() {
    let text = "# Title\n\n[![b](x)](y) ![i](z)\n<!-- a\nb -->\n<p>\n\n```sh\ncode\n```\nSub\n---\n| a |\n|---|\n***\n\nHello\n  **big** `code_x` [world](http://x). snake_case _em_\n## next\nmore";
    let expected = "Hello big code_x world. snake_case em";
    assert_eq!(first_paragraph(text), Some((expected.into(), 17)));
    assert_eq!(first_paragraph("> Quoted \\*x\\*\n"), Some(("Quoted *x*".into(), 1)));
    assert_eq!(first_paragraph("**Description:** It does."), Some(("It does.".into(), 1)));
    assert_eq!(first_paragraph("a < b <br> c"), Some(("a < b c".into(), 1)));
}

#[test]
fn first_paragraph_without_paragraph_is_first_list_item() {
    for list in
        ["# T\n- one **two**\n- three\n", "# T\n- one two\n\n- three\n", "# T\n- one two\n  - three\n"]
    {
        assert_eq!(first_paragraph(list), Some(("one two".into(), 2)), "{list:?}");
    }
    assert_eq!(first_paragraph("1. one\n\ntext"), Some(("text".into(), 3)));
    for nothing in ["", "# only\n", "```\ncode\n```\n", "***\n", "<!-- x -->\n", "| a |\n|---|\n| b |\n"] {
        assert_eq!(first_paragraph(nothing), None, "{nothing:?}");
    }
}

#[test]
fn hostile_markdown_is_read_in_linear_time() {
    for evil in ["#\n", "`", "~~~\n", "[", "![", "[[]", "[a](", "<a", "<!--", "a\n", "- ", "> ", "=", "*a_"] {
        let evil = evil.repeat(60_000 / evil.len());
        for text in [evil.clone(), format!("# {evil}\n"), format!("{evil}\n---\n")] {
            assert!(headings(&text).len() <= 1);
            first_paragraph(&text);
        }
    }
}

proptest! {
    #[test]
    fn headings_of_any_text_are_within_limits(text in "([#=\\-`~<>!\\[\\]()*_|\\\\ \t\n\r]{0,4}[a-zé日\u{0}]{0,3}){0,60}") {
        let found = headings(&text);
        prop_assert!(found.len() <= MAX_HEADINGS);
        prop_assert!(found.iter().map(String::len).sum::<usize>() <= MAX_HEADINGS_BYTES);
        for (at, heading) in found.iter().enumerate() {
            prop_assert!(!heading.is_empty() && heading.trim() == heading);
            prop_assert!(heading.chars().count() <= MAX_HEADING_CHARS && !heading.contains(char::is_control));
            prop_assert!(!found.get(..at).unwrap_or_default().contains(heading));
        }
    }

    #[test]
    fn any_text_is_read(text in ".{0,2000}") {
        headings(&text);
        first_paragraph(&text);
    }
}
