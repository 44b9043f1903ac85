//! Headers that list alternatives with weights (RFC 9110, section 12.4.2).

use hyper::header::{HeaderMap, HeaderName};

/// An alternative of such a header.
#[derive(Debug, Clone, Copy)]
pub struct Alternative<'a> {
    /// What is named, without its parameters.
    pub value: &'a str,
    /// The weight in thousandths, 1000 by default; `None` if it is invalid.
    pub weight: Option<u16>,
    parameters: &'a str,
}

impl<'a> Alternative<'a> {
    fn parse(text: &'a str) -> Self {
        let (value, parameters) = text.split_once(';').unwrap_or((text, ""));
        let named = Self { value: value.trim(), weight: Some(1000), parameters };
        Self { weight: named.parameter("q").map_or(Some(1000), thousandths), ..named }
    }

    /// The value of a parameter, without quotes.
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters.split(';').find_map(|parameter| {
            let (named, value) = parameter.trim().split_once('=')?;
            named.eq_ignore_ascii_case(name).then(|| value.trim_matches('"'))
        })
    }
}

/// The alternatives in all lines of a header.
pub fn quality_values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = Alternative<'_>> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(Alternative::parse)
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
