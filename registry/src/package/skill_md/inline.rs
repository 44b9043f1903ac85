//! Markdown's inline markup: links, emphasis, code, tags.

/// Markdown's inline markup reduced to its text, white space to single spaces.
pub(super) fn plain(markdown: &str) -> String {
    let chars: Vec<char> = markdown.chars().collect();
    let mut text = String::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1).copied();
        let word = |i: Option<&char>| i.is_some_and(|c| c.is_alphanumeric());
        at += match c {
            '\\' if next.is_some_and(|c| c.is_ascii_punctuation()) => {
                text.extend(next);
                2
            }
            '!' if next == Some('[') => link(&chars, at + 1).map_or(1, |(_, after)| after - at),
            '[' => match link(&chars, at) {
                Some((inner, after)) => {
                    text.push_str(&plain(&inner));
                    after - at
                }
                None => {
                    text.push(c);
                    1
                }
            },
            '<' if next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) => {
                match chars.iter().skip(at).position(|&c| c == '>') {
                    Some(length) => length + 1,
                    None => {
                        text.push(c);
                        1
                    }
                }
            }
            '`' => {
                let (inner, after) = code(&chars, at);
                text.extend(inner);
                after - at
            }
            '*' => 1,
            // An underscore inside a word is a part of it.
            '_' if !(at > 0 && word(chars.get(at - 1)) && word(chars.get(at + 1))) => 1,
            _ => {
                text.push(c);
                1
            }
        };
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of `[text](address)` at `at`, and where it ends. Longer than any
/// real link is none, so that many brackets cost no more than their number.
fn link(chars: &[char], at: usize) -> Option<(String, usize)> {
    let window = chars.get(at..)?;
    let window = window.get(..2_000).unwrap_or(window);
    let mut depth = 0usize;
    let close = window.iter().position(|&c| {
        depth = if c == '[' { depth + 1 } else { depth - usize::from(c == ']') };
        depth == 0
    })?;
    if window.get(close + 1) != Some(&'(') || depth_of(window) > 3 {
        return None;
    }
    let end = window.iter().skip(close).position(|&c| c == ')')? + close;
    Some((window.get(1..close)?.iter().collect(), at + end + 1))
}

/// What stands in code at `at`, where backticks are, and where that ends; of
/// backticks that none close, nothing and where they end.
fn code(chars: &[char], at: usize) -> (&[char], usize) {
    let window = chars.get(at..).unwrap_or_default();
    let window = window.get(..2_000).unwrap_or(window);
    let marks = window.iter().take_while(|&&c| c == '`').count();
    let mut run = 0;
    for (index, &c) in window.iter().chain(&[' ']).enumerate().skip(marks) {
        if c == '`' {
            run += 1;
        } else if run == marks {
            return (window.get(marks..index - run).unwrap_or_default(), at + index);
        } else {
            run = 0;
        }
    }
    (&[], at + marks)
}

/// How many brackets open in a row: an image in a link has two.
fn depth_of(window: &[char]) -> usize {
    window.iter().take_while(|&&c| matches!(c, '[' | '!')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_reduced_to_its_text() {
        for (markdown, text) in [
            ("**big** `code_x` [world](http://x)", "big code_x world"),
            ("snake_case _em_ \\*x\\*", "snake_case em *x*"),
            ("a <b>c</b> <!-- d --> e < f", "a c e < f"),
            ("`a <b>` ``c`d`` `[e](f) ``g` ``h`i`", "a <b> c`d [e](f) ``g hi"),
            ("![image](x) [![b](x)](y) [not] (a", "[not] (a"),
            (" a \t b ", "a b"),
        ] {
            assert_eq!(plain(markdown), text, "{markdown:?}");
        }
    }
}
