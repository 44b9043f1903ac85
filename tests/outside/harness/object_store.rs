//! An object store with the API of S3 that fails as a test wants.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use md5::{Digest as _, Md5};

use super::{Client, FakeHost, ReceivedRequest, Registry, Reply, eventually};

/// The credentials of a store, as variables of the environment.
pub const CREDENTIALS: [(&str, &str); 2] =
    [("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"), ("AWS_SECRET_ACCESS_KEY", "secret/of+the.tests")];

/// The path of the bucket.
const BUCKET: &str = "/skills/";

/// An object: its bytes, and the headers that were put with it.
#[derive(Debug, Clone, Default)]
pub struct StoredObject {
    pub bytes: Vec<u8>,
    pub headers: BTreeMap<String, String>,
    /// When it was put, in Unix seconds.
    pub at: i64,
}

/// Looks at a request before the store does. A reply is sent instead.
type Fault = dyn Fn(&ReceivedRequest) -> Option<Reply> + Send + Sync;

struct Inner {
    objects: Mutex<BTreeMap<String, StoredObject>>,
    fault: Mutex<Arc<Fault>>,
    /// Whether `If-None-Match` is ignored.
    overwrites: bool,
}

/// A running store with the bucket `skills`. Dropping it ends it.
pub struct ObjectStore {
    host: FakeHost,
    inner: Arc<Inner>,
}

impl ObjectStore {
    /// A store that does what it should.
    pub fn start() -> Self {
        Self::of(false)
    }

    /// A store that overwrites objects which must only be created.
    pub fn overwriting() -> Self {
        Self::of(true)
    }

    fn of(overwrites: bool) -> Self {
        let fault: Arc<Fault> = Arc::new(|_| None);
        let inner = Arc::new(Inner { objects: Mutex::default(), fault: Mutex::new(fault), overwrites });
        let answers = Arc::clone(&inner);
        Self { host: FakeHost::answering(move |asked| answers.answer(asked)), inner }
    }

    /// From now on `fault` sees each request first. It may hold it back.
    pub fn fail(&self, fault: impl Fn(&ReceivedRequest) -> Option<Reply> + Send + Sync + 'static) {
        *self.inner.fault.lock().unwrap() = Arc::new(fault);
    }

    /// Lets time pass for all objects.
    pub fn age(&self, seconds: i64) {
        self.inner.objects.lock().unwrap().values_mut().for_each(|object| object.at -= seconds);
    }

    /// From now on nothing fails.
    pub fn mend(&self) {
        self.fail(|_| None);
    }

    /// The settings of a registry whose tree this store follows, below the prefix `tree`.
    pub fn settings(&self) -> String {
        format!(
            "listen = 0\n[mirror]\ntarget = \"s3://skills/tree\"\ntarget_endpoint = \"{}\"\ntarget_region = \"eu\"\ntarget_interval = 0\n",
            self.host.base
        )
    }

    /// The settings of a registry whose packages are in this store, below the prefix `packages`.
    pub fn packages_settings(&self) -> String {
        format!(
            "listen = 0\n[storage]\npackages = \"s3://skills/packages\"\nendpoint = \"{}\"\nregion = \"eu\"\n",
            self.host.base
        )
    }

    /// The keys of all objects.
    pub fn keys(&self) -> Vec<String> {
        self.inner.objects.lock().unwrap().keys().cloned().collect()
    }

    /// A running registry whose tree this store follows.
    #[track_caller]
    pub fn registry(&self) -> Registry {
        let mut registry = Registry::configured(&self.settings());
        registry.start_with_variables(&CREDENTIALS);
        registry
    }

    /// A client of the bucket's objects.
    pub fn client(&self) -> Client {
        Client::of(&format!("{}{BUCKET}tree", self.host.base))
    }

    /// The address of the store.
    pub fn base(&self) -> &str {
        &self.host.base
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.host.asked()
    }

    /// The keys that were put, in order, without the prefix.
    pub fn put(&self) -> Vec<String> {
        let puts = self.asked().into_iter().filter(|asked| asked.method == "PUT");
        puts.filter_map(|asked| Some(asked.path.strip_prefix(BUCKET)?.strip_prefix("tree/")?.to_owned()))
            .collect()
    }

    /// The objects of the tree by their keys without the prefix.
    pub fn objects(&self) -> BTreeMap<String, StoredObject> {
        let objects = self.inner.objects.lock().unwrap();
        let of_tree = objects.iter().filter_map(|(key, object)| Some((key.strip_prefix("tree/")?, object)));
        let of_tree = of_tree.filter(|(key, _)| !key.starts_with(".skillmirror/"));
        of_tree.map(|(key, object)| (key.to_owned(), object.clone())).collect()
    }

    /// Puts an object of the tree without a client.
    pub fn set(&self, key: &str, bytes: &[u8]) {
        self.set_object(&format!("tree/{key}"), bytes);
    }

    /// Puts an object without a client.
    pub fn set_object(&self, key: &str, bytes: &[u8]) {
        let at = jiff::Timestamp::now().as_second();
        let object = StoredObject { bytes: bytes.into(), at, ..StoredObject::default() };
        self.inner.objects.lock().unwrap().insert(key.to_owned(), object);
    }

    /// Deletes an object without a client.
    pub fn remove_object(&self, key: &str) {
        self.inner.objects.lock().unwrap().remove(key);
    }

    /// Waits until the bucket has what the tree of a registry has.
    #[track_caller]
    pub fn settled(&self, registry: &Registry) {
        eventually("the bucket equals the folder", || {
            let at_rest = registry.read("/readyz");
            let target = &at_rest["target"];
            let is_done = target["revision"] == at_rest["revision"] && target["waiting"] == 0;
            (is_done && at_rest["mirrorRevision"] == at_rest["revision"]).then_some(())
        });
    }
}

impl Inner {
    fn answer(&self, asked: &ReceivedRequest) -> Reply {
        let fault = Arc::clone(&self.fault.lock().unwrap());
        if let Some(reply) = fault(asked) {
            return reply;
        }
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let key = path.strip_prefix(BUCKET).unwrap_or_default();
        let mut objects = self.objects.lock().unwrap();
        match asked.method.as_str() {
            "PUT" => {
                let creates = asked.header("if-none-match") == Some("*") && !self.overwrites;
                if creates && objects.contains_key(key) {
                    return error(412, "PreconditionFailed");
                }
                let headers = asked.headers.iter().cloned().collect();
                let at = jiff::Timestamp::now().as_second();
                let Some(source) = asked.header("x-amz-copy-source") else {
                    objects.insert(key.to_owned(), StoredObject { bytes: asked.body.clone(), headers, at });
                    return Reply::status(200).header("ETag", &etag(&asked.body));
                };
                let source = source.trim_start_matches('/').strip_prefix(&BUCKET[1..]).unwrap_or_default();
                let Some(copied) = objects.get(source).cloned() else { return error(404, "NoSuchKey") };
                let etag = etag(&copied.bytes);
                objects.insert(key.to_owned(), StoredObject { at, ..copied });
                xml(&format!("<CopyObjectResult><ETag>{etag}</ETag></CopyObjectResult>"))
            }
            "POST" => {
                let body = String::from_utf8_lossy(&asked.body).into_owned();
                let mut deleted = String::new();
                for key in body.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next()) {
                    objects.remove(key);
                    deleted += &format!("<Deleted><Key>{key}</Key></Deleted>");
                }
                xml(&format!("<DeleteResult>{deleted}</DeleteResult>"))
            }
            "DELETE" => {
                objects.remove(key);
                Reply::status(204)
            }
            _ if key.is_empty() => list(&objects, query),
            _ => match objects.get(key) {
                Some(object) => shown(object),
                None => error(404, "NoSuchKey"),
            },
        }
    }
}

fn shown(object: &StoredObject) -> Reply {
    let at = jiff::Timestamp::from_second(object.at).unwrap();
    let at = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).unwrap();
    let reply =
        Reply::bytes(object.bytes.clone()).header("ETag", &etag(&object.bytes)).header("Last-Modified", &at);
    let kept = ["content-type", "cache-control", "content-disposition"];
    let kept = object.headers.iter().filter(|(name, _)| kept.contains(&name.as_str()));
    kept.fold(reply, |reply, (name, value)| reply.header(name, value))
}

fn etag(bytes: &[u8]) -> String {
    let md5: String = Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{md5}\"")
}

fn xml(text: &str) -> Reply {
    Reply::bytes(format!("<?xml version=\"1.0\"?>{text}")).header("Content-Type", "application/xml")
}

fn error(status: u16, code: &str) -> Reply {
    xml(&format!("<Error><Code>{code}</Code></Error>")).with_status(status)
}

/// All objects in one answer: a real store has a thousand in each.
fn list(objects: &BTreeMap<String, StoredObject>, query: &str) -> Reply {
    let value = |name: &str| {
        let found = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        found.unwrap_or_default().replace("%2F", "/").replace("%7E", "~")
    };
    let prefix = value("prefix");
    let listed = objects.iter().filter(|(key, _)| key.starts_with(&prefix));
    let listed = listed.map(|(key, object)| {
        format!(
            "<Contents><Key>{key}</Key><LastModified>{}</LastModified>\
             <ETag>{}</ETag><Size>{}</Size></Contents>",
            jiff::Timestamp::from_second(object.at).unwrap(),
            etag(&object.bytes),
            object.bytes.len()
        )
    });
    let listed: String = listed.collect();
    xml(&format!("<ListBucketResult><IsTruncated>false</IsTruncated>{listed}</ListBucketResult>"))
}
