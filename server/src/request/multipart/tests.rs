use std::time::Duration;

use futures_util::stream;
use hyper::{HeaderMap, Method};

use super::*;
use crate::request::Path;
use crate::request::body::Body;
use crate::request::client_address::ClientAddress;
use crate::response_headers::request_id::RequestId;

const ALLOWED: TextFields = TextFields { single: &["namespace", "version"], repeatable: &["path"] };
const ZIP: usize = 1 << 20;

fn request(content_type: &str, pieces: Vec<Bytes>) -> Request {
    let pieces = stream::iter(pieces.into_iter().map(Ok));
    Request {
        method: Method::POST,
        path: Path::parse("/"),
        query: String::new(),
        headers: HeaderMap::from_iter([(CONTENT_TYPE, content_type.parse().unwrap())]),
        peer: ([127, 0, 0, 1], 1).into(),
        client: ClientAddress::Known([127, 0, 0, 1].into()),
        id: RequestId::random(),
        client_presence: Default::default(),
        disconnect: Default::default(),
        body: Body::new(pieces, Duration::from_secs(30)),
    }
}

fn owner() -> Owner {
    Owner::of_person(&"ann".parse().unwrap())
}

fn part(name: &str, value: &[u8]) -> Vec<u8> {
    let file = if name == FILE { "; filename=\"a.zip\"" } else { "" };
    let mut part =
        format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").into_bytes();
    part.extend_from_slice(value);
    part.extend_from_slice(b"\r\n");
    part
}

/// Reads a form that arrives in chunks of `size` bytes.
async fn read(parts: &[Vec<u8>], size: usize, budget: &UploadBudget) -> Result<Form, Problem> {
    let whole = [&parts.concat()[..], b"--B--\r\n"].concat();
    let pieces = whole.chunks(size).map(Bytes::copy_from_slice).collect();
    form(&mut request("multipart/form-data; boundary=B", pieces), ALLOWED, ZIP, budget, &owner()).await
}

async fn refused(parts: &[Vec<u8>]) -> (&'static str, Vec<String>) {
    let budget = UploadBudget::new(8 << 20, 64);
    let problem = read(parts, 1000, &budget).await.unwrap_err();
    assert_eq!(budget.free(), 8 << 20, "a refused form reserves nothing");
    let named = problem.errors().iter().map(|e| format!("{} {}", e.code, e.field.as_deref().unwrap_or("")));
    (problem.code().as_str(), named.collect())
}

#[tokio::test]
async fn form_is_read_in_chunks_of_any_size() {
    let zip: Vec<u8> = (0..5000_u32).flat_map(u32::to_le_bytes).chain(*b"\r\n--\r\n--A").collect();
    let parts = [
        part("namespace", "größe".as_bytes()),
        part("path", b"b"),
        part(FILE, &zip),
        part("version", b""),
        part("path", b"a"),
    ];
    for size in [1, 7, 1000, usize::MAX] {
        let budget = UploadBudget::new(1 << 20, 64);
        let form = read(&parts, size, &budget).await.unwrap();
        let upload = form.file.unwrap();
        assert_eq!((&*upload.bytes, upload.filename.as_deref()), (&*zip, Some("a.zip")));
        assert_eq!(
            form.fields,
            BTreeMap::from([
                ("namespace", vec!["größe".to_owned()]),
                ("path", vec!["b".to_owned(), "a".to_owned()]),
                ("version", vec![String::new()])
            ])
        );
        let slice = upload.bytes.slice(1..2);
        drop(upload.bytes);
        assert!(budget.free() < 1 << 20, "a slice keeps the reservation of the whole");
        drop(slice);
        assert_eq!(budget.free(), 1 << 20);
    }
}

#[tokio::test]
async fn errors_list_every_invalid_field() {
    let parts = [
        part("a", b""),
        part("version", b"1"),
        part("version", b"2"),
        part("namespace", b"\xff"),
        part(FILE, b""),
        part(FILE, b""),
    ];
    let names =
        ["unknown_field a", "duplicate_field version", "invalid_field namespace", "duplicate_field file"];
    assert_eq!(refused(&parts).await, ("invalid_request", names.map(str::to_owned).to_vec()));
    let many: Vec<_> = (0..=MAX_PARTS).map(|n| part(&n.to_string(), b"")).collect();
    assert_eq!(refused(&many).await, ("invalid_request", vec![]));
    assert_eq!(refused(&[b"--B\r\n\r\nnameless\r\n".to_vec()]).await.0, "invalid_request");
}

#[tokio::test]
async fn forms_over_a_limit_are_refused() {
    assert!(read(&[part(FILE, &vec![0; ZIP])], 9000, &UploadBudget::new(2 * ZIP, 64)).await.is_ok());
    assert_eq!(refused(&[part(FILE, &vec![0; ZIP + 1])]).await.0, "too_large");
    assert_eq!(refused(&[part("version", &vec![0; MAX_TEXT_BYTES + 1])]).await.0, "too_large");
    assert_eq!(refused(&[part("unknown", &vec![0; MAX_TEXT_BYTES + 1])]).await.0, "too_large");
    let busy = read(&[part(FILE, &vec![0; ZIP])], 9000, &UploadBudget::new(ZIP / 2, 64)).await.unwrap_err();
    assert_eq!(busy.code().as_str(), "unavailable");
    let (one, form) = (UploadBudget::new(ZIP, 1), [part("version", b"1")]);
    let held = one.reserve(&owner()).unwrap();
    assert_eq!(read(&form, 9000, &one).await.unwrap_err().code().as_str(), "unavailable");
    drop(held);
    assert!(read(&form, 9000, &one).await.is_ok());
}

#[tokio::test]
async fn framing_over_its_limit_is_refused() {
    assert_eq!(refused(&[vec![b'x'; ZIP]]).await, ("invalid_request", vec![]));
    let header = [b"--B\r\nX: ".to_vec(), vec![b'x'; ZIP]].concat();
    assert_eq!(refused(&[header]).await, ("invalid_request", vec![]));
    // An epilogue is ignored (RFC 2046, section 5.1.1).
    let epilogue = [part("version", b"1"), b"--B--\r\n".to_vec(), vec![b'x'; 10]];
    assert!(read(&epilogue, 1000, &UploadBudget::new(ZIP, 64)).await.is_ok());
}

#[tokio::test]
async fn other_types_and_malformed_forms_are_refused() {
    let budget = UploadBudget::new(ZIP, 64);
    let code = async |content_type: &str, body: &'static [u8]| {
        let mut request = request(content_type, vec![Bytes::from_static(body)]);
        form(&mut request, ALLOWED, ZIP, &budget, &owner()).await.unwrap_err().code().as_str()
    };
    assert_eq!(code("application/json", b"{}").await, "unsupported_media_type");
    assert_eq!(code("multipart/mixed; boundary=B", b"").await, "unsupported_media_type");
    assert_eq!(code("multipart/form-data", b"").await, "invalid_request");
    for body in [
        &b""[..],
        b"--B",
        b"--B\r\n",
        b"--C--",
        b"--B\r\nContent-Disposition: form-data; name=\"version\"\r\n\r\n1",
    ] {
        assert_eq!(code("multipart/form-data; boundary=B", body).await, "invalid_request");
    }
}

#[tokio::test]
async fn upload_of_one_with_most_gives_way() {
    let budget = UploadBudget::new(ZIP, 2);
    let begin = async |n: usize| {
        let begin = Bytes::from([part(FILE, &vec![0; n * 1000]), part("version", b"1")].concat());
        let mut request = request("multipart/form-data; boundary=B", Vec::new());
        let endless = stream::iter([Ok(begin)]).chain(stream::pending());
        request.body = Body::new(endless, Duration::MAX);
        form(&mut request, ALLOWED, ZIP, &budget, &owner()).await.unwrap_err()
    };
    let other = async {
        while budget.free() > ZIP - 3000 {
            tokio::task::yield_now().await;
        }
        let bob = Owner::of_person(&"bob".parse().unwrap());
        let mut request = request("multipart/form-data; boundary=B", Vec::new());
        let whole = [part("version", b"1"), b"--B--\r\n".to_vec()].concat();
        request.body = Body::whole(whole);
        form(&mut request, ALLOWED, ZIP, &budget, &bob).await.unwrap();
    };
    let (first, second) = (begin(1), begin(2));
    tokio::pin!(first, second);
    let gave_way = tokio::select! {
        biased;
        problem = async { futures_util::join!(other, &mut first).1 } => problem,
        problem = &mut second => panic!("the newer one ended: {}", problem.detail()),
    };
    assert_eq!(gave_way.code().as_str(), "unavailable");
    assert!(gave_way.detail().contains("most are yours"), "{}", gave_way.detail());
}
