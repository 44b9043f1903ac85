//! HTML in Markdown, which is shown as text.

/// A part of the markup.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// `<br>`.
    Break,
}

/// Splits `markup` into its parts, without comments.
pub(super) fn pieces(markup: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = markup;
    let mut searched = 0;
    while let Some(at) = rest[searched..].find('<').map(|at| searched + at) {
        let (length, piece) = match break_length(&rest[at..]) {
            Some(length) => (length, Some(Piece::Break)),
            None => match rest[at..].strip_prefix("<!--") {
                Some(comment) => (comment.find("-->").map_or(rest.len() - at, |end| end + 7), None),
                None => {
                    searched = at + 1;
                    continue;
                }
            },
        };
        found.push(Piece::Text(&rest[..at]));
        found.extend(piece);
        rest = &rest[at + length..];
        searched = 0;
    }
    found.push(Piece::Text(rest));
    found.retain(|piece| *piece != Piece::Text(""));
    found
}

/// The length of the `<br>`, `<br/>` or `<br />` at the beginning of `text`.
fn break_length(text: &str) -> Option<usize> {
    let name = text.get(..3).filter(|name| name.eq_ignore_ascii_case("<br"))?;
    let rest = text[name.len()..].trim_start_matches([' ', '\n']);
    let rest = rest.strip_prefix('/').unwrap_or(rest).strip_prefix('>')?;
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_dropped_and_breaks_kept() {
        let markup = "<a>\n<!-- x\n --><b <BR/>y<br />z<brx><!-- open <br>";
        assert_eq!(
            pieces(markup),
            [
                Piece::Text("<a>\n"),
                Piece::Text("<b "),
                Piece::Break,
                Piece::Text("y"),
                Piece::Break,
                Piece::Text("z<brx>")
            ]
        );
    }
}
