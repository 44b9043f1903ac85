//! Dates and numbers with dashes, which people write in place of a version.
//!
//! Completed like other short versions, `2024-01-01` would become the pre-release
//! `2024.0.0-01-01`, which is never the latest version.

/// Why a text is a date or a list of numbers rather than a version, and what to write. None
/// if it is neither. A `v` before the text is already removed.
pub(super) fn remedy(text: &str) -> Option<String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits >= 8 {
        let (year, month, day) = (&text[..4], &text[4..6], &text[6..8]);
        return dotted(year, month, day).map(|version| format!("is a date: write {version}"));
    }
    let separator = text[digits..].chars().next().filter(|c| matches!(c, '-' | '/' | '_' | '.'))?;
    let mut pieces = text.splitn(3, separator);
    let (first, second) = (pieces.next()?, number(pieces.next()?)?);
    // A time or another suffix may follow.
    let third = pieces.next().map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        &rest[..end]
    });
    let third = third.filter(|digits| !digits.is_empty());
    if let Some(version) = dotted(first, second, third.unwrap_or("0")) {
        return Some(format!("is a date: write {version}"));
    }
    let third = third.filter(|_| separator != '.')?;
    if first.len() <= 2 && dotted(third, first, second).or_else(|| dotted(third, second, first)).is_some() {
        return Some("is a date: write YEAR.MONTH.DAY, as in 2024.1.31".to_owned());
    }
    let version = format!("{}.{}.{}", plain(first), plain(second), plain(third));
    Some(format!("has `{separator}` between its numbers: write {version}"))
}

/// A date as a version. Day 0 is an absent one.
fn dotted(year: &str, month: &str, day: &str) -> Option<String> {
    let [year, month, day] = [(year, 4), (month, 2), (day, 2)]
        .map(|(text, digits)| number(text).filter(|t| t.len() <= digits)?.parse::<u16>().ok());
    let (year, month, day) = (year?, month?, day?);
    let is_date = (1900..2200).contains(&year) && (1..=12).contains(&month) && day <= 31;
    is_date.then(|| format!("{year}.{month}.{day}"))
}

fn number(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

/// Digits without leading zeros.
fn plain(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_is_told_with_its_version() {
        for (text, version) in [
            ("2024-01-01", "2024.1.1"),
            ("2024-1-31", "2024.1.31"),
            ("2024/12/31", "2024.12.31"),
            ("2024_01_02", "2024.1.2"),
            ("2024.01.01", "2024.1.1"),
            ("2024.01", "2024.1.0"),
            ("2024-01", "2024.1.0"),
            ("2024-1-rc", "2024.1.0"),
            ("2024-01-01T10:00:00Z", "2024.1.1"),
            ("2024-01-01-beta", "2024.1.1"),
            ("20240101", "2024.1.1"),
            ("20240131-2", "2024.1.31"),
            ("202401311259", "2024.1.31"),
        ] {
            assert_eq!(remedy(text), Some(format!("is a date: write {version}")), "{text}");
        }
        for text in ["31-01-2024", "1/31/2024"] {
            assert!(remedy(text).unwrap().contains("YEAR.MONTH.DAY"), "{text}");
        }
        assert_eq!(remedy("1-02-3").unwrap(), "has `-` between its numbers: write 1.2.3");
    }

    #[test]
    fn version_is_no_date() {
        for text in
            ["", "1", "1.2", "1.2.3", "1-rc", "1-rc.1", "1.2-3", "99999999", "20241301", "2024", "ü-1-2"]
        {
            assert_eq!(remedy(text), None, "{text}");
        }
    }
}
