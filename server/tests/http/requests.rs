//! Every request gets a response, and a malformed one never gets a 500.

use server::Response;
use server::problem::Problem;
use server::request::Request;
use server::request::http_limits::HttpLimits;
use server::routes::{Match, find};

use crate::harness::{limits, start};

pub(crate) async fn table(request: Request) -> Result<Response, Problem> {
    assert_ne!(request.peer.port(), 0);
    match find(&request.method, &request.path) {
        Match::Found { route, .. } => Ok(Response::new(route.path.into())),
        Match::WrongMethod { allow, .. } => Err(Problem::method_not_allowed(allow)),
        Match::Preflight { .. } | Match::NotFound => {
            Err(Problem::not_found("There is nothing at this address."))
        }
    }
}

#[tokio::test]
async fn odd_requests_get_their_status() {
    let server = start(limits(), table);
    for (line, status) in [
        ("GET /healthz HTTP/1.1", 200),
        ("GET /%68ealthz HTTP/1.1", 200),
        ("GET http://other.example/healthz?x=%ff HTTP/1.1", 200),
        ("GET /healthz? HTTP/1.1", 200),
        ("GET /healthz/ HTTP/1.1", 404),
        ("GET //healthz HTTP/1.1", 404),
        ("GET /api/../healthz HTTP/1.1", 404),
        ("GET /%2e%2e/%00/%ff HTTP/1.1", 404),
        ("GET http://other.example HTTP/1.1", 404),
        ("OPTIONS * HTTP/1.1", 404),
        ("CONNECT a.example:443 HTTP/1.1", 404),
        ("BREW /healthz HTTP/1.1", 405),
        ("POST /healthz HTTP/1.1", 405),
        ("PUT /api/v1/publish HTTP/1.1", 405),
    ] {
        let answer = server.ask(&format!("{line}\r\nHost: a\r\nContent-Length: 0\r\n\r\n")).await;
        assert_eq!(answer.status, status, "{line}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-request-id").len(), 16);
        match status {
            404 => assert_eq!(answer.problem(), "not_found"),
            405 => assert!(answer.problem() == "method_not_allowed" && !answer.header("allow").is_empty()),
            _ => assert_eq!(answer.header("cache-control"), "no-store"),
        }
    }
}

#[tokio::test]
async fn malformed_request_gets_400_and_long_header_431() {
    let server = start(limits(), table);
    assert_eq!(server.ask("GET /a b HTTP/1.1\r\n\r\n").await.status, 400);
    assert_eq!(server.ask("hello\r\n\r\n").await.status, 400);
    let long = |bytes| format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(bytes));
    assert_eq!(server.ask(&long(20 << 10)).await.status, 431);
    let server = start(HttpLimits { header_bytes: 64 << 10, ..limits() }, table);
    assert_eq!(server.ask(&long(20 << 10)).await.status, 200);
    // The last read may exceed the limit by as much again.
    assert_eq!(server.ask(&long(130 << 10)).await.status, 431);
}

#[tokio::test]
async fn http_1_0_closes_and_http_1_1_pipelines() {
    let server = start(limits(), table);
    let mut client = server.connect().await;
    client.send("GET /healthz HTTP/1.0\r\n\r\n").await;
    assert_eq!(client.answer(false).await.unwrap().body, "/healthz");
    assert_eq!(client.rest().await, "", "HTTP/1.0 closes");

    let mut client = server.connect().await;
    let one = |path| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n");
    client.send([one("/healthz"), one("/nowhere"), one("/readyz")].concat()).await;
    assert_eq!(client.answer(false).await.unwrap().body, "/healthz");
    assert_eq!(client.answer(false).await.unwrap().status, 404);
    assert_eq!(client.answer(false).await.unwrap().body, "/readyz");
}

#[tokio::test]
async fn panic_in_handler_gets_500_without_its_cause() {
    let server = start(limits(), |request: Request| async move {
        if request.path.raw() == "/panic" {
            panic!("the secret cause")
        }
        Err(Problem::internal("the secret cause"))
    });
    for line in ["GET /panic", "POST /panic", "GET /error", "POST /error"] {
        let answer = server.ask(&format!("{line} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
        assert_eq!((answer.status, &*answer.problem()), (500, "internal"));
        assert!(!answer.body.contains("secret"));
    }
}
