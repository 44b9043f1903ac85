//! Request bodies: limits, speed, `100 Continue`.

use serde_json::{Map, Value};
use server::Response;
use server::problem::Problem;
use server::request::Request;
use server::request::body::json;
use server::request::http_limits::HttpLimits;
use server::request::multipart::{TextFields, UploadBudget, form};

use crate::harness::{Client, SOON, limits, start};

const FORM: &str = "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=B\r\n";
const PART: &str = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n\r\n";
const JSON: &str = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

async fn read(mut request: Request) -> Result<Response, Problem> {
    let limits = limits();
    let size = if request.path.raw() == "/form" {
        let allowed = TextFields { single: &["version"], repeatable: &[] };
        let (budget, owner) = (UploadBudget::new(1 << 20, 64), request.client.owner());
        let form = form(&mut request, allowed, limits.zip, &budget, &owner).await?;
        form.file.map_or(0, |file| file.bytes.len())
    } else {
        json::<Map<String, Value>>(&request.headers, &mut request.body, limits.json, true).await?.len()
    };
    Ok(Response::new(size.to_string().into()))
}

async fn send_chunk(client: &mut Client, bytes: &[u8]) {
    client.send([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()).await;
}

#[tokio::test]
async fn chunked_form_keeps_its_connection() {
    let server = start(limits(), read);
    let mut client = server.connect().await;
    for _ in 0..3 {
        client.send(format!("{FORM}Transfer-Encoding: chunked\r\n\r\n")).await;
        send_chunk(&mut client, PART.as_bytes()).await;
        send_chunk(&mut client, &[b'x'; 64 << 10]).await;
        send_chunk(&mut client, b"\r\n--B--\r\n").await;
        client.send("0\r\n\r\n").await;
        assert_eq!(client.answer(false).await.unwrap().body, (64 << 10).to_string());
    }
}

#[tokio::test]
async fn form_over_its_limit_is_refused_before_its_end() {
    let server = start(limits(), read);
    let mut client = server.connect().await;
    client.send(format!("{FORM}Transfer-Encoding: chunked\r\n\r\n")).await;
    send_chunk(&mut client, PART.as_bytes()).await;
    send_chunk(&mut client, &[b'x'; (64 << 10) + 1000]).await;
    // Sends nothing more, not even the end.
    assert_eq!(client.answer(false).await.unwrap().problem(), "too_large");
}

#[tokio::test]
async fn client_that_keeps_sending_gets_its_413() {
    let server = start(limits(), read);
    let mut client = server.connect().await;
    client.send(format!("{FORM}Transfer-Encoding: chunked\r\n\r\n")).await;
    send_chunk(&mut client, PART.as_bytes()).await;
    for _ in 0..100 {
        send_chunk(&mut client, &[b'x'; 64 << 10]).await;
    }
    assert_eq!(client.answer(false).await.unwrap().problem(), "too_large");
}

#[tokio::test]
async fn announced_length_over_the_limit_is_refused_unread() {
    let server = start(limits(), read);
    for start in [JSON, FORM] {
        let request = format!("{start}Expect: 100-continue\r\nContent-Length: 999999999\r\n\r\n");
        assert_eq!(server.ask(&request).await.problem(), "too_large");
    }
    let mut client = server.connect().await;
    client.send(format!("{JSON}Transfer-Encoding: chunked\r\n\r\n")).await;
    send_chunk(&mut client, &[b' '; 1025]).await;
    assert_eq!(client.answer(false).await.unwrap().problem(), "too_large");
}

#[tokio::test]
async fn expect_continue_gets_100() {
    let server = start(limits(), read);
    let mut client = server.connect().await;
    client.send(format!("{JSON}Expect: 100-continue\r\nContent-Length: 7\r\n\r\n")).await;
    assert_eq!(client.answer(false).await.unwrap().status, 100);
    client.send("{\"a\":1}").await;
    assert_eq!(client.answer(false).await.unwrap().body, "1");
}

#[tokio::test]
async fn json_body_needs_its_type_and_an_object() {
    let server = start(limits(), read);
    let ask = async |headers: &str, body: &str| {
        let length = body.len();
        let start = "POST /json HTTP/1.1\r\nHost: a";
        let answer = server.ask(&format!("{start}\r\nContent-Length: {length}{headers}\r\n\r\n{body}")).await;
        if answer.status == 200 { answer.body } else { answer.problem() }
    };
    let json = "\r\nContent-Type: application/json";
    assert_eq!(ask("", "").await, "0");
    assert_eq!(ask("\r\nContent-Type: text/plain", "").await, "0");
    assert_eq!(ask(json, "{\"a\":1,\"b\":2}").await, "2");
    assert_eq!(ask("", "{}").await, "unsupported_media_type");
    assert_eq!(ask(&format!("{json}\r\nContent-Encoding: gzip"), "{}").await, "unsupported_media_type");
    assert_eq!(ask(json, "[]").await, "invalid_request");
    assert_eq!(server.ask("POST /json HTTP/1.1\r\nHost: a\r\n\r\n").await.body, "0");
}

#[tokio::test]
async fn stalled_body_closes_its_connection() {
    let server = start(HttpLimits { body_timeout: SOON, ..limits() }, read);
    for request in
        [format!("{JSON}Content-Length: 7\r\n\r\n{{"), format!("{FORM}Content-Length: 100\r\n\r\n{PART}")]
    {
        let mut client = server.connect().await;
        client.send(request).await;
        assert_eq!(client.answer(false).await.unwrap().problem(), "invalid_request");
        assert_eq!(client.rest().await, "");
    }
}
