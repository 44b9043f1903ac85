//! Logs with one JSON object per line.

use serde_json::{Map, Value};

use super::super::tally::Skipped;
use super::{LoggedRequest, address, byte_range, request_line, status, time};

/// The possible names of a field, the most reliable first, separated by spaces. Names are compared without case, `_`,
/// `-` and `@`. A dot separates the name of an object from that of a field in it.
type Names = &'static str;

const METHOD: Names = "method requestmethod request.method httpmethod csmethod clientrequestmethod";
/// Names of the target as sent come first, because a program may log the path of the file instead.
const TARGET: Names = "requesturi request.uri clientrequesturi csuristem uri url request.url requestpath path \
     request.path clientrequestpath";
const REQUEST: Names = "request requestline";
const STATUS: Names = "status statuscode responsestatus response.status scstatus edgeresponsestatus \
     downstreamstatus";
/// Names of the client come before those of the peer, which may be a proxy.
const CLIENT: Names = "clientip request.clientip remoteaddr request.remoteaddr remoteip request.remoteip cip \
     clienthost clientaddr remotehost";
const TIME: Names = "timeiso8601 ts timestamp starttime startutc edgestarttimestamp timelocal msec datetime \
     time";
/// Names of the size without headers come first.
const SENT: Names = "bodybytessent edgeresponsebodybytes downstreamcontentsize size responsesize bytessent \
     bytes response.bytes scbytes edgeresponsebytes";
const PART: Names = "senthttpcontentrange contentrange respheaders.contentrange response.headers.contentrange \
     httprange range request.headers.range requestheaders.range";

/// Parses a line.
pub fn read(line: &str) -> Result<LoggedRequest, Skipped> {
    let Ok(Value::Object(fields)) = serde_json::from_str(line) else { return Err(Skipped::Unreadable) };
    let (method, target) = match (text(&fields, METHOD), text(&fields, TARGET)) {
        (Some(method), Some(target)) => (method, target),
        (method, target) => match text(&fields, REQUEST) {
            Some(request) => request_line(&request),
            None if method.is_none() && target.is_none() => return Err(Skipped::Other),
            None => return Err(Skipped::Unreadable),
        },
    };
    let request = || {
        Some(LoggedRequest {
            client: text(&fields, CLIENT).and_then(|client| address(&client)),
            at: at(&fields)?,
            method,
            target,
            status: status(&text(&fields, STATUS)?)?,
            sent: text(&fields, SENT).map(|sent| sent.parse()).transpose().ok()?,
            part: text(&fields, PART).and_then(|part| byte_range::read(&part)),
        })
    };
    request().ok_or(Skipped::Unreadable)
}

/// The time. CloudFront logs it in two fields.
fn at(fields: &Map<String, Value>) -> Option<registry::time::Timestamp> {
    if let (Some(date), Some(clock)) = (text(fields, "date"), text(fields, "time"))
        && let Ok(time) = format!("{date}T{clock}Z").parse()
    {
        return Some(time);
    }
    time::read(&text(fields, TIME)?)
}

/// The first of these fields that has a value, as text.
fn text(fields: &Map<String, Value>, names: Names) -> Option<String> {
    names.split(' ').find_map(|name| find(fields, name).and_then(of_value))
}

fn of_value(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        // Headers can be repeated.
        Value::Array(values) => return values.first().and_then(of_value),
        _ => return None,
    };
    (!matches!(text.as_str(), "" | "-")).then_some(text)
}

fn find<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some((_, value)) = fields.iter().find(|(key, _)| is_called(key, name)) {
        return Some(value);
    }
    let (outer, inner) = name.split_once('.')?;
    find(fields, outer)?.as_object().and_then(|fields| find(fields, inner))
}

fn is_called(key: &str, name: &str) -> bool {
    let letters = key.bytes().filter(|byte| !matches!(byte, b'_' | b'-' | b'@'));
    letters.map(|byte| byte.to_ascii_lowercase()).eq(name.bytes())
}
