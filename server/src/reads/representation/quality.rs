//! Headers that list alternatives with weights (RFC 9110, section 12.4.2).

use hyper::header::{HeaderMap, HeaderName};

/// The alternatives in all lines of a header. The weight is in thousandths, 1000
/// by default; `None` if it is invalid.
pub fn quality_values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, Option<u16>)> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(|alternative| {
        let mut parts = alternative.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        (value, weight.map_or(Some(1000), thousandths))
    })
}

/// A weight: 0 to 1 with at most three decimals.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}
