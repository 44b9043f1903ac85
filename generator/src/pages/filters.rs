//! Template filters: numbers, times and texts for people.

use minijinja::{Environment, Value};

use super::addresses::{address, query};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Decimal units, as package registries and disks use them.
const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];

/// Adds the filters `day`, `size`, `number`, `rating`, `plural`, `brief`, `or`, `query`, `address`
/// for Markdown `quoted` and `code`, and the test `web`.
pub(super) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("day", |time: &str| day(time));
    environment.add_filter("size", size);
    environment.add_filter("number", number);
    environment.add_filter("rating", |average: f64| format!("{average:.1}"));
    environment.add_filter("plural", |count: u64, one: &str, many: &str| {
        format!("{}\u{a0}{}", number(count), if count == 1 { one } else { many })
    });
    environment.add_filter("brief", |text: &str, max: usize| brief(text, max));
    environment.add_filter("quoted", quoted);
    environment.add_filter("code", code);
    environment.add_filter("query", |text: &str| query(text));
    environment.add_filter("address", |url: &str, max: usize| address(url, max));
    // A record's homepage always passes, but a page checks again.
    environment.add_test("web", |url: &str| is_web(url));
    // The built-in `default` replaces only undefined values.
    environment.add_filter("or", |value: Value, other: Value| if value.is_true() { value } else { other });
}

/// Whether a URL leads to a website, so that a link to it runs no script.
fn is_web(url: &str) -> bool {
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}

/// `21 Nov 2026` for `2026-11-21T12:00:00Z`; other texts stay as they are.
fn day(time: &str) -> String {
    let mut parts = time.get(..10).unwrap_or_default().split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?));
    match (year, month, day.and_then(|day| day.parse::<u8>().ok())) {
        (Some(year), Some(month), Some(day)) => format!("{day}\u{a0}{month}\u{a0}{year}"),
        _ => time.to_owned(),
    }
}

/// A text as a quotation in Markdown, so that none of its lines begins something else.
fn quoted(text: &str) -> String {
    let lines: Vec<_> = text.split(['\n', '\r']).map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// A text as code in Markdown: one line, between backticks that it cannot end.
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_fence(text) + 1);
    let text = text.replace(['\n', '\r'], " ");
    format!("{fence} {text} {fence}")
}

/// The length of the longest run of backticks.
pub(crate) fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// `812 B`, `12.3 kB`: at most three digits, rounded down to tenths.
fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes}\u{a0}B");
    }
    let mut tenths = bytes / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    match tenths {
        1000.. => format!("{}\u{a0}{}", number(tenths / 10), UNITS[unit]),
        _ => format!("{}.{}\u{a0}{}", tenths / 10, tenths % 10, UNITS[unit]),
    }
}

/// `12,345`.
fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The text, or its first `max` characters, cut at a space if one is near.
fn brief(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let head = &text[..end];
    let word = head.rfind(' ').filter(|space| space * 3 > end * 2).unwrap_or(end);
    format!("{}\u{2026}", head[..word].trim_end_matches([' ', '.', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_written_out() {
        assert_eq!(day("2026-11-21T12:00:00Z"), "21\u{a0}Nov\u{a0}2026");
        assert_eq!(day("2026-01-03T00:00:00Z"), "3\u{a0}Jan\u{a0}2026");
        for odd in ["", "yesterday", "2026-13-01", "2026-00-01", "äöü-äöü-äöü"] {
            assert_eq!(day(odd), odd);
        }
    }

    #[test]
    fn only_http_urls_are_web() {
        assert!(is_web("https://example.org") && is_web("HTTP://example.org"));
        for odd in
            ["", "javascript://x%0aalert(1)", "data:text/html,x", " https://x", "//x", "java\tscript:x"]
        {
            assert!(!is_web(odd), "{odd:?}");
        }
    }

    #[test]
    fn text_stays_in_its_place_in_markdown() {
        assert_eq!(quoted("a\n## b\r```"), "> a\n> ## b\n> ```");
        assert_eq!(code("a`b``c\nd"), "``` a`b``c d ```");
        assert_eq!(code("a"), "` a `");
    }

    #[test]
    fn size_has_three_digits() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (12_345, "12.3 kB"),
            (99_999, "99.9 kB"),
            (123_456, "123 kB"),
            (999_999, "999 kB"),
            (1_000_000, "1.0 MB"),
            (104_857_600, "104 MB"),
            (u64::MAX, "18,446,744 TB"),
        ] {
            assert_eq!(size(bytes).replace('\u{a0}', " "), text);
        }
    }

    #[test]
    fn large_number_is_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn brief_text_ends_at_a_word() {
        assert_eq!(brief("one two three", 40), "one two three");
        assert_eq!(brief("one two three", 10), "one two\u{2026}");
        assert_eq!(brief("日本語のテキスト", 3), "日本語\u{2026}");
        assert_eq!(brief("a bbbbbbbbbbbbbbbbbbbb", 10), "a bbbbbbbb\u{2026}");
    }
}
