//! Limits on connections, and shutdowns.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use server::Response;
use server::problem::Problem;
use server::request::Request;
use server::request::http_limits::HttpLimits;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use warp::Reply;

use crate::harness::{SOON, limits, start};

async fn empty(_: Request) -> Result<Response, Problem> {
    Ok(Response::default())
}

#[tokio::test]
async fn incomplete_request_closes_its_connection() {
    let server = start(HttpLimits { header_timeout: SOON, ..limits() }, empty);
    for start in ["", "P", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX-Half: "] {
        let mut client = server.connect().await;
        client.send(start).await;
        let rest = client.rest().await;
        assert!(!rest.contains("200 OK"), "{start}: {rest}");
    }
    let mut idle = server.connect().await;
    idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(idle.answer(false).await.unwrap().status, 200);
    assert_eq!(idle.rest().await, "", "an idle connection is closed too");
}

#[tokio::test]
async fn client_that_reads_nothing_is_disconnected() {
    struct Gone(Arc<Notify>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let gone = Arc::new(Notify::new());
    let seen = gone.clone();
    let server = start(HttpLimits { write_timeout: SOON, ..limits() }, move |_| {
        let guard = Gone(gone.clone());
        let endless = stream::repeat_with(move || {
            let _ = &guard;
            Ok::<_, std::io::Error>(Bytes::from(vec![0; 1 << 16]))
        });
        async { Ok(warp::reply::stream(endless).into_response()) }
    });
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    seen.notified().await;
}

#[tokio::test]
async fn connection_over_the_limit_waits() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let log = order.clone();
    let server = start(HttpLimits { connections: 1, ..limits() }, move |request: Request| {
        log.lock().unwrap().push(request.path.raw().to_owned());
        empty(request)
    });
    let mut first = server.connect().await;
    first.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n").await;
    first.answer(false).await.unwrap();
    let mut second = server.connect().await;
    second.send("GET /3 HTTP/1.1\r\nHost: a\r\n\r\n").await;
    first.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n").await;
    first.answer(false).await.unwrap();
    drop(first);
    second.answer(false).await.unwrap();
    assert_eq!(*order.lock().unwrap(), ["/1", "/2", "/3"]);
}

#[tokio::test]
async fn shutdown_lets_running_requests_finish() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (begun.clone(), go_on.clone());
    let mut server = start(limits(), move |_| {
        let (tell, wait) = (tell.clone(), wait.clone());
        async move {
            tell.notify_one();
            wait.notified().await;
            Ok(Response::default())
        }
    });
    let idle = server.connect().await;
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    begun.notified().await;
    server.stop();
    assert_eq!(idle.rest().await, "");
    let address = server.address;
    go_on.notify_one();
    assert_eq!(client.answer(false).await.unwrap().status, 200);
    drop(client);
    server.ended().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn shutdown_ends_after_its_timeout() {
    let begun = Arc::new(Notify::new());
    let tell = begun.clone();
    let mut server = start(HttpLimits { shutdown_timeout: Duration::ZERO, ..limits() }, move |_| {
        tell.notify_one();
        std::future::pending()
    });
    let mut client = server.connect().await;
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
    begun.notified().await;
    server.stop();
    server.ended().await;
    assert_eq!(client.rest().await, "");
}

#[tokio::test]
async fn slow_bodies_of_many_addresses_give_way_to_others() {
    let limits = HttpLimits { connections: 8, connections_per_client: 3, ..limits() };
    let server = start(
        HttpLimits { body_timeout: Duration::from_secs(3600), ..limits },
        async |mut request: Request| {
            while let Some(Ok(_)) = request.body.next().await {}
            Ok::<_, Problem>(Response::default())
        },
    );
    let begin = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n";
    let mut honest = server.connect_from(9).await;
    honest.send(begin).await;
    let mut slow = Vec::new();
    for last in [2, 2, 2, 3, 3, 4, 4] {
        let mut client = server.connect_from(last).await;
        client.send(begin).await;
        slow.push(client);
    }
    for last in [6, 7, 8] {
        let mut newcomer = server.connect_from(last).await;
        newcomer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert_eq!(newcomer.answer(false).await.unwrap().status, 200, "from 127.0.0.{last}");
        slow.push(newcomer);
    }
    honest.send([b'x'; 100]).await;
    assert_eq!(honest.answer(false).await.unwrap().status, 200, "it has only one connection");
}
