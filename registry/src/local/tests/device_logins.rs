//! Tests of logins with a code.

use std::thread;

use super::{Folder, open};
use crate::local::auth::device_login::DeviceLimits;
use crate::local::{
    DEVICE_CODE_TTL, DeviceCodes, DevicePoll, DeviceRequest, DeviceVerdict, HistoryContents, LocalStore,
    Mode, UserCode,
};
use crate::private::Scopes;
use crate::time::Timestamp;

const NETWORK: &str = "192.0.2.1";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

fn request() -> DeviceRequest {
    let client = Some(NETWORK.parse().unwrap());
    DeviceRequest { label: "Überall 日本".to_owned(), scopes: Scopes::all(), client }
}

fn begin(store: &LocalStore, seconds: i64) -> DeviceCodes {
    store.begin_device_login(&request(), NETWORK, at(seconds)).unwrap().unwrap()
}

fn poll(store: &LocalStore, codes: &DeviceCodes, seconds: i64) -> DevicePoll {
    store.poll_device_login(&codes.device, at(seconds)).unwrap()
}

fn waiting(store: &LocalStore, codes: &DeviceCodes, seconds: i64) -> Option<DeviceRequest> {
    store.waiting_device_login(&codes.user, at(seconds)).unwrap()
}

fn decide(store: &LocalStore, codes: &DeviceCodes, verdict: &DeviceVerdict, seconds: i64) -> bool {
    store.decide_device_login(&codes.user, verdict, at(seconds)).unwrap()
}

fn session() -> String {
    "a".repeat(16)
}

fn allow(store: &LocalStore, codes: &DeviceCodes, seconds: i64) -> bool {
    decide(store, codes, &DeviceVerdict::Allowed(session()), seconds)
}

fn allowed() -> DevicePoll {
    DevicePoll::Allowed { request: request(), session: session() }
}

#[test]
fn allowed_login_is_collected_once_by_any_process() {
    let folder = Folder::new();
    let (here, there) = (open(&folder), open(&folder));
    let codes = begin(&here, 0);
    assert_eq!(poll(&there, &codes, 2), DevicePoll::Pending);
    assert_eq!(waiting(&there, &codes, 3), Some(request()));
    assert!(allow(&there, &codes, 3));
    assert_eq!(waiting(&here, &codes, 3), None, "a code is used once");
    assert!(!decide(&here, &codes, &DeviceVerdict::Denied, 3));
    drop((here, there));
    let again = open(&folder);
    assert_eq!(poll(&again, &codes, 4), allowed());
    assert_eq!(poll(&again, &codes, 8), DevicePoll::Unknown);
}

#[test]
fn allowed_login_is_collected_by_one_of_many_polls_at_once() {
    let folder = Folder::new();
    let stores = [open(&folder), open(&folder)];
    for round in 0..8 {
        let codes = begin(&stores[0], round);
        assert!(allow(&stores[1], &codes, round));
        let answers: Vec<_> = thread::scope(|scope| {
            let polls: Vec<_> = (0..8)
                .map(|n| (&stores[n % 2], &codes))
                .map(|(store, codes)| scope.spawn(move || poll(store, codes, round)))
                .collect();
            polls.into_iter().map(|poll| poll.join().unwrap()).collect()
        });
        assert_eq!(answers.iter().filter(|answer| **answer == allowed()).count(), 1, "{answers:?}");
        assert_eq!(answers.iter().filter(|answer| **answer == DevicePoll::Unknown).count(), 7, "{answers:?}");
    }
}

#[test]
fn denied_login_ends() {
    let folder = Folder::new();
    let store = open(&folder);
    let codes = begin(&store, 0);
    assert!(decide(&store, &codes, &DeviceVerdict::Denied, 1));
    assert_eq!(poll(&store, &codes, 2), DevicePoll::Denied);
    assert_eq!(poll(&store, &codes, 4), DevicePoll::Unknown);
}

#[test]
fn expired_codes_are_refused() {
    let folder = Folder::new();
    let store = open(&folder);
    let (codes, late) = (begin(&store, 0), begin(&store, 0));
    assert!(waiting(&store, &codes, 599).is_some());
    assert!(waiting(&store, &codes, 600).is_none());
    assert!(!allow(&store, &codes, 600));
    assert_eq!(poll(&store, &codes, 600), DevicePoll::Expired);
    assert_eq!(poll(&store, &codes, 602), DevicePoll::Unknown);
    // An approval that is not collected in time is void.
    assert!(allow(&store, &late, 599));
    assert_eq!(poll(&store, &late, 600), DevicePoll::Expired);
    let forgotten = begin(&store, 700);
    store.remove_expired(at(1899)).unwrap();
    assert_eq!(poll(&store, &forgotten, 1899), DevicePoll::Expired);
    let forgotten = begin(&store, 700);
    store.remove_expired(at(1900)).unwrap();
    assert_eq!(poll(&store, &forgotten, 1900), DevicePoll::Unknown);
}

#[test]
fn client_that_polls_too_fast_is_slowed_down() {
    let folder = Folder::new();
    let (here, there) = (open(&folder), open(&folder));
    let codes = begin(&here, 0);
    assert_eq!(poll(&here, &codes, 0), DevicePoll::Pending);
    assert_eq!(poll(&there, &codes, 1), DevicePoll::TooFast(7));
    assert_eq!(poll(&here, &codes, 7), DevicePoll::TooFast(12));
    assert!(allow(&there, &codes, 8));
    assert_eq!(poll(&there, &codes, 9), DevicePoll::TooFast(17));
    assert_eq!(poll(&here, &codes, 26), allowed());
}

#[test]
fn unknown_and_confused_codes_are_refused() {
    let folder = Folder::new();
    let store = open(&folder);
    let codes = begin(&store, 0);
    for confused in ["", &codes.user.to_string()] {
        assert_eq!(store.poll_device_login(confused, at(1)).unwrap(), DevicePoll::Unknown);
    }
    assert!(store.waiting_device_login(&UserCode::random().unwrap(), at(1)).unwrap().is_none());
}

#[test]
fn logins_are_limited_per_network_and_in_all() {
    let folder = Folder::new();
    let store = open(&folder);
    for _ in 0..100 {
        begin(&store, 0);
    }
    let refused = |seconds| store.begin_device_login(&request(), NETWORK, at(seconds)).unwrap().is_none();
    assert!(refused(1));
    assert!(store.begin_device_login(&request(), "192.0.2.2", at(1)).unwrap().is_some());
    let all = |network: &str, max| begin_with(&store, network, 109, max);
    assert!(all("192.0.2.3", 102));
    assert!(!all(NETWORK, 102), "it has most");
    assert!(all("192.0.2.3", 102), "the oldest of the network with most ends");
    begin(&store, 1);
    assert!(refused(1), "only one has ended");
    // Expired logins count until they are forgotten.
    let forgotten = 2 * i64::try_from(DEVICE_CODE_TTL.as_secs()).unwrap();
    assert!(refused(forgotten - 1));
    begin(&store, forgotten);
    begin(&store, forgotten + 1);
}

/// Begins a login with limits of the test. Returns whether it was allowed.
fn begin_with(store: &LocalStore, network: &str, of_network: u64, all: u64) -> bool {
    let request = DeviceRequest { client: Some(network.parse().unwrap()), ..request() };
    let limits = DeviceLimits { of_network, all };
    store.begin_device_login_within(limits, &request, network, at(0)).unwrap().is_some()
}

#[test]
fn begin_in_two_processes_at_once_stays_within_the_limit() {
    let folder = Folder::new();
    let stores = [open(&folder), open(&folder)];
    let begun: usize = thread::scope(|scope| {
        let begins: Vec<_> = (0..8)
            .map(|n| &stores[n % 2])
            .map(|store| scope.spawn(|| (0..4).filter(|_| begin_with(store, NETWORK, 10, 10)).count()))
            .collect();
        begins.into_iter().map(|begin| begin.join().unwrap()).sum()
    });
    assert_eq!(begun, 10);
}

#[test]
fn codes_are_stored_as_digests() {
    let folder = Folder::new();
    let store = open(&folder);
    let codes = begin(&store, 0);
    let mut stored = String::new();
    let spaces = crate::local::auth::ENDED_BY_RESTORE;
    let visit = store.run(Mode::Snapshot, |records| {
        spaces.iter().try_for_each(|space| {
            records.visit(*space, "", &mut |record| {
                stored += &format!("{record:?} {}", record.value);
                Ok(())
            })
        })
    });
    visit.unwrap();
    let plain = codes.user.to_string().replace('-', "");
    for code in [&codes.device, &codes.user.to_string(), &plain] {
        assert!(stored.contains("device_logins.1") && !stored.contains(code), "{stored}");
    }
}

#[test]
fn history_replaced_ends_logins() {
    let folder = Folder::new();
    let store = open(&folder);
    let codes = begin(&store, 0);
    store.begin_history("one").unwrap();
    store.replace_history("two", &HistoryContents::default()).unwrap();
    assert_eq!(poll(&store, &codes, 1), DevicePoll::Unknown);
}
