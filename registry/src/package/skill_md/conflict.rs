//! Markers of an unresolved merge.

/// Finds the first marker at the start of a line, and its line from 0. A line `=======` alone
/// may also underline a heading.
pub(super) fn marker(text: &str) -> Option<(u64, &str)> {
    let is_marker = |line: &str| {
        ["<<<<<<<", ">>>>>>>", "|||||||"].iter().any(|marker| {
            line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    let lines = text.lines().map(str::trim_end);
    (0..).zip(lines).find(|(_, line)| is_marker(line)).map(|(number, line)| (number, &line[..7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marker_is_found_at_the_start_of_a_line() {
        assert_eq!(marker("a: 1\n<<<<<<< HEAD\na: 2\n"), Some((1, "<<<<<<<")));
        assert_eq!(marker("a\n=======\nb\n>>>>>>> topic\r\n"), Some((3, ">>>>>>>")));
        for none in ["a\n=======\n", "  <<<<<<< HEAD\n", "<<<<<<<< x\n", "<<<<<< x\n", "a <<<<<<< b\n"] {
            assert_eq!(marker(none), None, "{none:?}");
        }
    }
}
