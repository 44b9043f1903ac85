#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use futures_util::FutureExt;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use tempfile::TempDir;

use super::newest::QUIET;
use super::right::LASTS;
use super::*;
use crate::keys::KeyStyle;

/// A server with a tree of its own.
struct Server {
    folder: TempDir,
    target: Target,
    manifest: Manifest,
    lease: Lease,
}

impl Server {
    fn of(store: &Arc<InMemory>) -> Self {
        let target = Target::in_memory(store, "s3://bucket/tree", KeyStyle::Paths);
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::open(folder.path(), &target.identity()).unwrap();
        Self { lease: Lease::of(target.clone()), folder, target, manifest }
    }

    /// The process was killed, and another one has the lock of the tree.
    fn restart(&mut self) {
        self.lease = Lease::of(self.target.clone());
        self.manifest = Manifest::open(self.folder.path(), &self.target.identity()).unwrap();
    }

    async fn takes(&mut self) -> bool {
        self.lease.take(&self.manifest).await.unwrap().is_some_and(|right| right.is_valid())
    }
}

async fn numbers(store: &InMemory) -> Vec<u64> {
    let listed: Vec<_> = store.list(None).try_collect().await.unwrap();
    let mut numbers: Vec<_> = listed.iter().filter_map(|object| number_of(&object.location)).collect();
    numbers.sort_unstable();
    numbers
}

fn newest(number: u64, etag: &str) -> Newest {
    let object = ObjectMeta {
        location: format!("{WRITERS}/{number:020}").into(),
        last_modified: std::time::SystemTime::UNIX_EPOCH.into(),
        size: 1,
        e_tag: Some(etag.to_owned()),
        version: None,
    };
    Newest::of(&[object]).unwrap()
}

#[tokio::test]
async fn second_server_waits_until_the_first_one_ends() {
    let store = Arc::new(InMemory::new());
    let (mut one, mut two) = (Server::of(&store), Server::of(&store));
    assert!(one.takes().await);
    for _ in 0..3 {
        assert!(!two.takes().await && one.lease.is_held());
    }
    one.lease.end().await;
    assert!(!one.lease.is_held() && two.takes().await);
    // The number of the first one goes, and it has to wait.
    while numbers(&store).await != [2] {
        tokio::task::yield_now().await;
    }
    assert!(!one.takes().await);
}

#[tokio::test]
async fn next_process_of_the_same_tree_does_not_wait() {
    let store = Arc::new(InMemory::new());
    let (mut one, mut two) = (Server::of(&store), Server::of(&store));
    assert!(one.takes().await && !two.takes().await);
    one.restart();
    assert!(one.takes().await && numbers(&store).await.contains(&2));
    two.restart();
    assert!(!two.takes().await);
}

#[tokio::test]
async fn only_one_of_many_takes_an_ended_lease() {
    let store = Arc::new(InMemory::new());
    let mut first = Server::of(&store);
    assert!(first.takes().await);
    first.lease.end().await;
    let mut servers: Vec<_> = (0..8).map(|_| Server::of(&store)).collect();
    let taken = futures_util::future::join_all(servers.iter_mut().map(Server::takes)).await;
    assert_eq!(taken.iter().filter(|is_taken| **is_taken).count(), 1);
}

#[test]
fn writer_is_quiet_after_a_while_without_a_change() {
    let (mut watch, now) = (Watch::default(), Instant::now());
    let mut look = |newest: Option<&Newest>, after: Duration| {
        let at = now + after;
        watch.is_quiet(newest, at, at + Duration::from_secs(1))
    };
    let second = Duration::from_secs(1);
    let (a, b) = (newest(3, "a"), newest(3, "b"));
    assert!(look(None, Duration::ZERO), "there never was a writer");
    assert!(!look(Some(&a), second));
    // From the answer, which came a second later.
    assert!(!look(Some(&a), second + QUIET));
    assert!(!look(Some(&b), second * 3 + QUIET), "it was renewed");
    assert!(!look(Some(&b), second * 3 + QUIET * 2));
    assert!(look(Some(&b), second * 4 + QUIET * 2));
    // Somebody has deleted the object of a writer, which will put it again.
    assert!(!look(None, second * 5 + QUIET * 2));
    assert!(look(None, second * 6 + QUIET * 3));
    assert_eq!(watch.highest(), 3);
    assert!(LASTS < QUIET);
}

#[test]
fn right_that_has_ended_cannot_be_extended() {
    let (since, right) = Right::since(Moment::now());
    assert!(right.is_valid() && extend(&since, Moment::now()));
    let (since, right) = Right::since(Moment::now().before(LASTS));
    assert!(!right.is_valid() && !extend(&since, Moment::now()) && !right.is_valid());
    assert!(Right::always().is_valid() && !Right::none().is_valid());
}

#[tokio::test]
async fn request_is_cut_off_when_the_right_ends() {
    let (since, right) = Right::since(Moment::now());
    let mut running = Box::pin(right.guard(std::future::pending::<Result<(), UploadError>>()));
    assert!(running.as_mut().now_or_never().is_none());
    since.send_replace(None);
    assert!(matches!(running.await, Err(UploadError::LeaseLost)));
    let mut is_sent = false;
    let request = async {
        is_sent = true;
        Ok(())
    };
    assert!(matches!(right.guard(request).await, Err(UploadError::LeaseLost)));
    assert!(!is_sent);
}
