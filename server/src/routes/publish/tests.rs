use std::pin::pin;
use std::time::Duration;

use futures_util::FutureExt;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, Signing};
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, Method};
use registry::Registry;
use registry::access::{Credential, NamespaceCreation};
use registry::journal::MemoryJournal;
use registry::local::LocalStore;
use registry::ops::set_up::{SetUp, set_up};
use registry::package::{Limits, LooseFile};
use registry::private::Secret;

use super::*;
use crate::app::Settings;
use crate::request::body::Body;
use crate::request::client_address::ClientAddress;
use crate::request::http_limits::HttpLimits;
use crate::request::{Path, Request};
use crate::response_headers::request_id::RequestId;
use crate::routes::Params;
use crate::security::auth::Caller;
use crate::tree_updates::{CounterTicks, PublisherSettings};

fn app(data: &std::path::Path) -> (Arc<App>, Caller) {
    let registry = Arc::new(Registry::open(Arc::new(MemoryJournal::new())).unwrap());
    let secret = Secret::generate().unwrap();
    let input = SetUp { admin: "admin".parse().unwrap(), digest: secret.digest(), prefix: secret.prefix() };
    let operator = Credential::Operator { acting_as: None };
    let operator = registry::Caller { credential: operator, request: None };
    registry.commit(&operator, |context| set_up(context, &input)).unwrap();
    let credential = Credential::Token(secret.digest());
    let actor = registry.authenticate(&credential).unwrap();
    let settings = Settings {
        public_url: "http://127.0.0.1:8080".parse().unwrap(),
        session_lifetime: Duration::from_secs(60),
        client_login_lifetime: Duration::from_secs(60),
        writes_per_minute: std::num::NonZeroU32::MAX,
        http: HttpLimits::default(),
        package: Limits::default(),
        wait_level: None,
        scans: Arc::default(),
        quotas: registry::quotas::Quotas::default(),
        creation: NamespaceCreation::Open,
        publisher: PublisherSettings {
            tree: TreeSettings::default(),
            signing: Signing::Unsigned,
            ticks: CounterTicks { interval: Duration::from_secs(5), batch: 50 },
            lists_interval: Duration::from_secs(1),
            search_retention: Retention::NONE,
            target: None,
            purger: None,
            progress: generator::WorkProgress::default(),
            replaces_tree: false,
        },
        reads_memory: 0,
        wait_timeout: Duration::ZERO,
        mirror: false,
        metrics: false,
        access_log: None,
        key_in_path: false,
        private: None,
        trusted: Arc::default(),
        outbound: None,
        sign_in: Default::default(),
    };
    let (local, _) = LocalStore::open(data).unwrap();
    let app = App::start(registry, Arc::new(local), Tree::at(data.join("public")), settings).unwrap();
    (app, Caller { credential, actor })
}

fn upload() -> Request {
    let content = b"---\nname: hello\ndescription: Says hello.\n---\n".to_vec();
    let file = LooseFile { path: "SKILL.md".into(), executable: false, content };
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &Limits::default(),
        allowed_files: &[],
    };
    let zip = Package::from_files(vec![file], &options).unwrap().archive().unwrap();
    let mut form =
        b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n\r\n".to_vec();
    form.extend(zip);
    form.extend(b"\r\n--b--\r\n");
    let kind = "multipart/form-data; boundary=b".parse().unwrap();
    Request {
        method: Method::POST,
        path: Path::parse("/api/v1/publish"),
        query: String::new(),
        headers: HeaderMap::from_iter([(CONTENT_TYPE, kind)]),
        peer: ([127, 0, 0, 1], 1).into(),
        client: ClientAddress::Known([127, 0, 0, 1].into()),
        id: RequestId::random(),
        client_presence: Default::default(),
        disconnect: Default::default(),
        body: Body::whole(form),
    }
}

#[tokio::test]
async fn upload_waits_compressed_and_counted_for_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let (app, caller) = app(folder.path());
    let (room, turns) = (app.uploads.free(), app.unpacking.available_permits());
    let all = app.unpacking.acquire_many(turns.try_into().unwrap()).await.unwrap();
    let mut publishing = pin!(publish(Call {
        app: Arc::clone(&app),
        request: upload(),
        params: Params::default(),
        caller: Some(caller)
    }));
    assert!((&mut publishing).now_or_never().is_none());
    assert!(app.uploads.free() < room);
    drop(all);
    assert_eq!(publishing.await.unwrap().status(), StatusCode::CREATED);
    assert_eq!((app.uploads.free(), app.unpacking.available_permits()), (room, turns));
}

#[tokio::test]
async fn upload_whose_client_has_gone_is_not_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let (app, caller) = app(folder.path());
    let turns = app.unpacking.available_permits();
    let all = app.unpacking.acquire_many(turns.try_into().unwrap()).await.unwrap();
    let request = upload();
    let waiting = request.client_presence.waits();
    let call = Call { app: Arc::clone(&app), request, params: Params::default(), caller: Some(caller) };
    let mut publishing = pin!(publish(call));
    assert!((&mut publishing).now_or_never().is_none());
    drop(waiting);
    drop(all);
    assert_eq!(publishing.await.unwrap_err().code(), Code::InvalidRequest);
    let skills = app.registry.read(|catalog| catalog.public.skills().len());
    assert_eq!((skills, app.unpacking.available_permits()), (0, turns));
}
