//! Tests of published counters and counted downloads.

use super::{Folder, open};
use crate::local::{Download, DownloadDay, LocalError};
use crate::public::{Counters, Hundredths, Id};
use crate::time::{Day, Timestamp};

fn counters(downloads: u64) -> Counters {
    Counters { downloads, stars: 2, rating_average: Some(Hundredths(450)), ratings: 2 }
}

fn day(number: i64) -> Day {
    Day::from_number(number).unwrap()
}

fn download(version: u64, on: i64, client: [u8; 4]) -> Download {
    Download { skill: Id(version / 10), version: Id(version), day: day(on), client: client.into() }
}

const ANN: [u8; 4] = [192, 0, 2, 1];
const BOB: [u8; 4] = [192, 0, 2, 2];

#[test]
fn publish_counters_is_visible_to_other_processes() {
    let folder = Folder::new();
    let (server, watcher) = (open(&folder), open(&folder));
    assert_eq!(watcher.counter_generation().unwrap(), 0);
    server.publish_counters(&[(Id(7), counters(1)), (Id(5), counters(2))], 1).unwrap();
    server.publish_counters(&[(Id(7), counters(3))], 4).unwrap();
    let all = [(Id(5), counters(2), 1), (Id(7), counters(3), 4)];
    assert_eq!(watcher.published_counters_since(0).unwrap(), all);
    assert_eq!(watcher.published_counters_since(1).unwrap(), all[1..]);
    assert_eq!(watcher.published_counters_since(4).unwrap(), []);
    assert_eq!(watcher.counter_generation().unwrap(), 4);
}

#[test]
fn publish_counters_with_an_old_generation_conflicts() {
    let folder = Folder::new();
    let store = open(&folder);
    store.publish_counters(&[(Id(7), counters(1))], 3).unwrap();
    for generation in [0, 2, 3] {
        let refused = store.publish_counters(&[(Id(8), counters(9))], generation);
        assert!(matches!(refused, Err(LocalError::Conflict)), "{generation}");
    }
    assert_eq!(store.published_counters_since(0).unwrap(), [(Id(7), counters(1), 3)]);
    // A generation without counters counts too.
    store.publish_counters(&[], 4).unwrap();
    assert_eq!(store.counter_generation().unwrap(), 4);
}

#[test]
fn adopt_counters_into_an_empty_store_sets_the_totals() {
    let folder = Folder::new();
    let store = open(&folder);
    let shown = Counters { downloads: 40, stars: 3, ..Counters::default() };
    store.adopt_counters(&[(Id(7), shown)], 12).unwrap();
    assert_eq!(store.published_counters_since(0).unwrap(), [(Id(7), shown, 13)]);
    let download = |client: &str| Download {
        skill: Id(7),
        version: Id(8),
        day: Timestamp::now().into(),
        client: client.parse().unwrap(),
    };
    store.count_downloads(&[download("192.0.2.1"), download("192.0.2.2")]).unwrap();
    assert_eq!(store.download_totals_since(0).unwrap().0, [(Id(7), 42)]);
    // The store is not empty any more.
    store.adopt_counters(&[(Id(7), Counters::default())], 90).unwrap();
    assert_eq!(store.counter_generation().unwrap(), 13);
    assert_eq!(store.download_totals_since(0).unwrap().0, [(Id(7), 42)]);
}

#[test]
fn count_downloads_counts_a_client_once_for_a_version_and_day() {
    let folder = Folder::new();
    let (server, command) = (open(&folder), open(&folder));
    let first = server.count_downloads(&[download(71, 5, ANN), download(71, 5, ANN)]).unwrap();
    assert_eq!((first.new, first.repeated), ([((Id(7), Id(71)), 1)].into(), 1));
    let others = [download(71, 5, ANN), download(71, 6, ANN), download(72, 5, ANN), download(71, 5, BOB)];
    let second = command.count_downloads(&others).unwrap();
    assert_eq!((second.new.values().sum::<u64>(), second.repeated), (3, 1));
    let counts = |version, on, count| DownloadDay { version: Id(version), day: day(on), count };
    let days = [counts(71, 5, 2), counts(71, 6, 1), counts(72, 5, 1)];
    assert_eq!(server.download_days(Id(7)).unwrap(), days);
    assert_eq!(server.download_totals_since(0).unwrap().0, [(Id(7), 4)]);
}

#[test]
fn count_downloads_treats_mapped_addresses_as_equal() {
    let folder = Folder::new();
    let store = open(&folder);
    let four = download(71, 5, ANN);
    let six = Download { client: "::ffff:192.0.2.1".parse().unwrap(), ..four };
    let other = Download { client: "2001:db8::1".parse().unwrap(), ..four };
    assert_eq!(store.count_downloads(&[four, six, other]).unwrap().repeated, 1);
}

#[test]
fn download_totals_since_returns_changes_only() {
    let folder = Folder::new();
    let store = open(&folder);
    assert_eq!(store.download_totals_since(0).unwrap(), (vec![], 0));
    store.count_downloads(&[download(71, 5, ANN), download(81, 5, ANN)]).unwrap();
    let (totals, first) = store.download_totals_since(0).unwrap();
    assert_eq!(totals, [(Id(7), 1), (Id(8), 1)]);
    assert_eq!(store.download_totals_since(first).unwrap(), (vec![], first));
    store.count_downloads(&[download(82, 5, ANN), download(71, 5, ANN)]).unwrap();
    let (totals, second) = store.download_totals_since(first).unwrap();
    assert_eq!(totals, [(Id(8), 2)]);
    assert!(second > first);
    // A number of another file counts as 0.
    assert_eq!(store.download_totals_since(second + 1).unwrap().0.len(), 2);
}

#[test]
fn count_downloads_in_two_processes_counts_all() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for process in 0..2 {
            let store = open(&folder);
            scope.spawn(move || {
                for client in 0..50 {
                    store.count_downloads(&[download(71, 5, [10, 0, process, client])]).unwrap();
                }
            });
        }
    });
    assert_eq!(open(&folder).download_totals_since(0).unwrap().0, [(Id(7), 100)]);
}
