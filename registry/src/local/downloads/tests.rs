use super::*;
use crate::local::opened;

fn day(number: i64) -> Day {
    Day::from_number(number).unwrap()
}

fn download(version: u64, on: i64, client: [u8; 4]) -> Download {
    Download { skill: Id(version / 10), version: Id(version), day: day(on), client: client.into() }
}

const ANN: [u8; 4] = [192, 0, 2, 1];
const BOB: [u8; 4] = [192, 0, 2, 2];

#[test]
fn count_downloads_counts_a_client_once_for_a_version_and_day() {
    let data = tempfile::tempdir().unwrap();
    let (server, command) = (opened(data.path()), opened(data.path()));
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
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    let four = download(71, 5, ANN);
    let six = Download { client: "::ffff:192.0.2.1".parse().unwrap(), ..four };
    let other = Download { client: "2001:db8::1".parse().unwrap(), ..four };
    assert_eq!(store.count_downloads(&[four, six, other]).unwrap().repeated, 1);
}

#[test]
fn download_totals_since_returns_changes_only() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
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
    let data = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for process in 0..2 {
            let store = opened(data.path());
            scope.spawn(move || {
                for client in 0..50 {
                    store.count_downloads(&[download(71, 5, [10, 0, process, client])]).unwrap();
                }
            });
        }
    });
    assert_eq!(opened(data.path()).download_totals_since(0).unwrap().0, [(Id(7), 100)]);
}

#[test]
fn count_downloads_stores_no_address() {
    let data = tempfile::tempdir().unwrap();
    let client = [193, 17, 219, 131];
    opened(data.path()).count_downloads(&[download(71, 5, client)]).unwrap();
    let mapped = std::net::Ipv4Addr::from(client).to_ipv6_mapped().octets();
    for file in data.path().read_dir().unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let has = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        assert!(!has(&client) && !has(&mapped) && !has(b"193.17.219.131"));
    }
}
