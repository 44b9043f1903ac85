//! The headings of a SKILL.md.

/// The text of each line that begins with one to six `#` and a space, outside
/// of fenced code and front matter.
pub(super) fn headings(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for line in body(markdown).lines() {
        let text = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => found.extend(heading(line)),
            _ => {}
        }
    }
    found
}

fn heading(line: &str) -> Option<String> {
    let text = line.trim_start_matches('#');
    let is_heading = (1..=6).contains(&(line.len() - text.len())) && text.starts_with([' ', '\t']);
    let text = text.trim().trim_end_matches('#').trim_end();
    (is_heading && !text.is_empty()).then(|| text.to_owned())
}

/// What is behind the front matter: its lines may begin with `#` too.
fn body(markdown: &str) -> &str {
    let Some(rest) = markdown.strip_prefix("---\n").or_else(|| markdown.strip_prefix("---\r\n")) else {
        return markdown;
    };
    rest.split_once("\n---").map_or(markdown, |(_, body)| body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_from_comments() {
        let text =
            "---\nname: x\n# no\n---\n# One\ntext\n```sh\n# no\n```\n##  Two words ##\n#no\n####### no\n";
        assert_eq!(headings(text), ["One", "Two words"]);
        assert_eq!(headings("# Only\n~~~\n```\n# no\n~~~\n### Last"), ["Only", "Last"]);
    }
}
