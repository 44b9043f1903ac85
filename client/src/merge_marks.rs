//! The marks that git leaves in a file where two branches have changed the same lines.

/// A text with marks, as each of its sides has it.
pub(crate) struct Merge {
    /// The number of the first line with a mark, from 1.
    pub line: usize,
    /// This branch, and the one that is merged into it.
    pub sides: [Side; 2],
}

/// A side of a merge.
#[derive(Default)]
pub(crate) struct Side {
    /// The name that git gives the side, such as `HEAD`. It may be empty.
    pub label: String,
    /// The whole text, with the lines of this side wherever they differ.
    pub text: String,
}

/// The part of a conflict that a line is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Both,
    Ours,
    /// The common ancestor, which only the styles `diff3` and `zdiff3` show.
    Base,
    Theirs,
}

/// The most characters that are shown of a label.
const MAX_LABEL: usize = 60;

/// Splits a text with marks into its sides. None if it has no mark.
///
/// Errors: the number of the first mark, if the marks do not belong together.
pub(crate) fn split(text: &str) -> Option<Result<Merge, usize>> {
    let line = text.lines().position(|line| mark(line).is_some())? + 1;
    let (mut part, mut sides) = (Part::Both, [Side::default(), Side::default()]);
    let [ours, theirs] = &mut sides;
    for line_text in text.lines() {
        part = match (mark(line_text), part) {
            (None, _) => {
                if matches!(part, Part::Both | Part::Ours) {
                    ours.add(line_text);
                }
                if matches!(part, Part::Both | Part::Theirs) {
                    theirs.add(line_text);
                }
                part
            }
            (Some(('<', label)), Part::Both) => {
                ours.name(label);
                Part::Ours
            }
            (Some(('|', _)), Part::Ours) => Part::Base,
            (Some(('=', _)), Part::Ours | Part::Base) => Part::Theirs,
            (Some(('>', label)), Part::Theirs) => {
                theirs.name(label);
                Part::Both
            }
            (Some(_), _) => return Some(Err(line)),
        };
    }
    Some(if part == Part::Both { Ok(Merge { line, sides }) } else { Err(line) })
}

/// The character of a mark, and the label after it. Marks of a merge in a merge are longer, and only in
/// the part of the common ancestor.
fn mark(line: &str) -> Option<(char, &str)> {
    let first = line.chars().next().filter(|first| "<|=>".contains(*first))?;
    let rest = line.trim_start_matches(first);
    let is_mark = line.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with(' '));
    is_mark.then(|| (first, rest.trim()))
}

impl Side {
    fn add(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn name(&mut self, label: &str) {
        if self.label.is_empty() {
            self.label = label.chars().take(MAX_LABEL).collect();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn split_returns_each_side_whole() {
        for text in [
            "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\nd\n",
            "a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> topic\r\nd\r\n",
            "a\n<<<<<<< HEAD\nb\n||||||| 1a2b3c\nx\n<<<<<<<<< nested\n=======\nc\n>>>>>>> topic\nd",
        ] {
            let Merge { line, sides: [ours, theirs] } = split(text).unwrap().ok().unwrap();
            assert_eq!(
                (line, ours.text.as_str(), theirs.text.as_str()),
                (2, "a\nb\nd\n", "a\nc\nd\n"),
                "{text}"
            );
            assert_eq!((ours.label.as_str(), theirs.label.as_str()), ("HEAD", "topic"));
        }
        for text in ["", "a\n", "<<<<<<<<\n", " <<<<<<<\n", "<<<<<<<a\n", "======\n"] {
            assert!(split(text).is_none(), "{text}");
        }
    }

    #[test]
    fn split_of_marks_that_do_not_belong_together_names_the_first() {
        for text in
            ["a\n<<<<<<< x\n", "a\n=======\n", "a\n<<<<<<< x\n<<<<<<< y\n", "a\n<<<<<<< x\n>>>>>>> y\n"]
        {
            assert_eq!(split(text).unwrap().err(), Some(2), "{text}");
        }
    }
}
