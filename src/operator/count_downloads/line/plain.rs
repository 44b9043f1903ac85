//! The common and the combined log format, as Apache and nginx write them:
//!
//! ```text
//! [HOST ]CLIENT IDENT USER [TIME] "REQUEST" STATUS BYTES[ "REFERER" "AGENT"][ …]
//! ```
//!
//! Of the further fields, only one that is named like a range header is used:
//! `range="bytes=0-99"`. Clients choose the content of the others.

use std::net::IpAddr;

use super::{LoggedRequest, address, byte_range, request_line, status, time};

/// The possible names of the field with the range, the most reliable first.
const PARTS: [&[&str]; 2] = [&["content_range", "sent_http_content_range"], &["range", "http_range"]];

/// Parses a line. None if it has another format.
pub fn read(line: &str) -> Option<LoggedRequest> {
    // Both programs escape quotation marks in user names, so the first one starts the request.
    let (before, rest) = line.split_once('"')?;
    let (names, at) = before.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    let (request, rest) = until_quote(rest)?;
    let (method, target) = request_line(request);
    let fields: Vec<Field<'_>> = Fields(rest).collect();
    let sent = match fields.get(1) {
        None => None,
        Some(Field { value: "-", .. }) => Some(0),
        Some(field) => Some(field.value.parse().ok()?),
    };
    let named = |names: &&[&str]| {
        fields
            .iter()
            .find(|field| names.contains(&field.name))
            .and_then(|field| byte_range::read(field.value))
    };
    Some(LoggedRequest {
        client: client(names),
        at: time::of_common_log(at)?,
        method,
        target,
        status: status(fields.first()?.value)?,
        sent,
        part: PARTS.iter().find_map(named),
    })
}

/// The client is the first field, or the second if the host comes first.
fn client(names: &str) -> Option<IpAddr> {
    let mut words = names.split_ascii_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    address(second).or_else(|| address(first))
}

/// Splits a text at the closing quotation mark.
fn until_quote(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

struct Field<'a> {
    /// Empty if the field has no name.
    name: &'a str,
    value: &'a str,
}

/// Fields separated by spaces: `value`, `"value"`, `name=value`, `name="value"`.
struct Fields<'a>(&'a str);

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let text = self.0.trim_start();
        let end = text.find([' ', '"']).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        if let Some(quoted) = rest.strip_prefix('"') {
            // An unterminated quote has no value and ends the line.
            let (value, rest) = until_quote(quoted).unwrap_or_default();
            self.0 = rest;
            return Some(Field { name: word.strip_suffix('=').unwrap_or_default(), value });
        }
        self.0 = rest;
        if word.is_empty() {
            return None;
        }
        let (name, value) = word.split_once('=').unwrap_or(("", word));
        Some(Field { name, value })
    }
}
