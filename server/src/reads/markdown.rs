//! Pages as Markdown, for agents that ask for it with `Accept: text/markdown`.

use generator::address::{Document, WebPage};
use hyper::HeaderMap;
use hyper::header::ACCEPT;

use crate::reads::representation::quality_values;

/// Whether a request names Markdown among the types that it accepts.
pub fn is_accepted(headers: &HeaderMap) -> bool {
    weight(headers, "text/markdown").is_some_and(|weight| weight > 0)
}

/// The Markdown of a page, if there is one and the request prefers it to HTML.
pub fn preferred(document: &Document, headers: &HeaderMap) -> Option<Document> {
    let Document::Page(WebPage::Skill(c)) = document else { return None };
    let html = ["text/html", "text/*", "*/*"].iter().find_map(|kind| weight(headers, kind)).unwrap_or(0);
    let is_preferred = is_accepted(headers) && weight(headers, "text/markdown") >= Some(html);
    is_preferred.then(|| Document::SkillMarkdown(c.clone()))
}

/// The weight of a type or range that the request names, in thousandths.
fn weight(headers: &HeaderMap, kind: &str) -> Option<u16> {
    let named = quality_values(headers, ACCEPT).filter(|named| named.value.eq_ignore_ascii_case(kind));
    named.filter_map(|named| named.weight).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_preferred_by_weight() {
        let page = Document::Page(WebPage::Skill("hello".parse().unwrap()));
        for (accept, expected) in [
            ("text/markdown", true),
            ("text/markdown, text/html;q=0.9, */*;q=0.1", true),
            ("text/html, text/markdown;q=0.5", false),
            ("text/html,application/xhtml+xml,*/*;q=0.8", false),
            ("text/markdown;q=0, */*", false),
            ("text/markdown;q=0.1, */*", false),
            ("text/markdown, */*", true),
            ("*/*", false),
        ] {
            let headers = [(ACCEPT, accept.parse().unwrap())].into_iter().collect();
            assert_eq!(preferred(&page, &headers).is_some(), expected, "{accept}");
        }
    }

    #[test]
    fn page_without_markdown_stays_html() {
        let headers = [(ACCEPT, "text/markdown".parse().unwrap())].into_iter().collect();
        assert_eq!(preferred(&Document::Page(WebPage::Search), &headers), None);
    }
}
