//! Headings of texts, good and hostile.

use proptest::prelude::*;

use super::budget::{LONGEST, MOST, TOGETHER, TRIED};
use super::read;

#[test]
fn both_ways_to_write_one() {
    let text =
        "# One\n  ## Two ##\n###### Six #\n#\tTab\n### a#\n# ###\n#\n\nOver\n=====\n\nTwo\nlines\n---\n";
    assert_eq!(read(text), ["One", "Two", "Six", "Tab", "a#", "Over", "Two lines"]);
    assert_eq!(read("# One\r\nOver\r\n---\r\n"), ["One", "Over"]);
    assert_eq!(read("Text\n# One\nText\n***\n---\n"), ["One"]);
}

#[test]
fn inline_markup_is_no_part_of_it() {
    let text =
        "# **Big** `code_x` [world](http://x)\n## \\# One \\#\n# ![i](x)\n# a <!-- b -->\n# \u{7} \u{1b}\n";
    assert_eq!(read(text), ["Big code_x world", "# One #", "a"]);
}

#[test]
fn what_is_none() {
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
        "> # One\n- # Two\n",
        "---\n\n---\n",
        "- a\n---\n> b\n---\n| c |\n---\n- d\ne\n---\n",
        "- a\n\n  b\n---\n",
        "    a\n---\n",
        "a\n\n---\n",
    ] {
        assert_eq!(read(none), [""; 0], "{none:?}");
    }
}

#[test]
fn what_ends_before_one() {
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
        assert_eq!(read(text), ["One"], "{text:?}");
    }
}

#[test]
fn how_many_and_how_long() {
    let many: String = (0..100).map(|n| format!("# {n}\n# {n}\n")).collect();
    assert_eq!(read(&many), (0..MOST).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(read(&format!("# {}\n", "é".repeat(300))), ["é".repeat(LONGEST)]);
    assert_eq!(read(&format!("# {} b\n", "a".repeat(127))), ["a".repeat(127)]);
    let long: String = (10..40).map(|n| format!("# {n}{}\n", "a".repeat(126))).collect();
    assert_eq!(read(&long).len(), TOGETHER / LONGEST);
    assert_eq!(read(&("#\n".repeat(TRIED - 1) + "# One\n# Two\n")), ["One"]);
}

#[test]
fn hostile_texts_end_soon() {
    for evil in ["#", "# ", "#\n", "`", "```\n", "~~~\n", "[", "![", "[a](", "<a", "<!--", "a\n", "- ", "="] {
        let evil = evil.repeat(100_000 / evil.len());
        for text in [evil.clone(), format!("# {evil}\n"), format!("{evil}\n---\n")] {
            assert!(read(&text).len() <= 1);
        }
        let lines = format!("# {}\n", evil.get(..1_000).unwrap_or_default()).repeat(2_000);
        assert!(read(&lines).len() <= MOST);
    }
}

proptest! {
    #[test]
    fn any_text_gives_what_is_promised(text in "([#=\\-`~<>!\\[\\]()*_|\\\\ \t\n\r]{0,4}[a-zé日\u{0}]{0,3}){0,60}") {
        let headings = read(&text);
        prop_assert!(headings.len() <= MOST);
        prop_assert!(headings.iter().map(String::len).sum::<usize>() <= TOGETHER);
        for (at, heading) in headings.iter().enumerate() {
            prop_assert!(!heading.is_empty() && heading.trim() == heading);
            prop_assert!(heading.chars().count() <= LONGEST && !heading.contains(char::is_control));
            prop_assert!(!headings.get(..at).unwrap_or_default().contains(heading));
        }
    }

    #[test]
    fn any_bytes_are_read(text in ".{0,2000}") {
        read(&text);
    }
}
