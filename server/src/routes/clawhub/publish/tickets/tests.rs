use registry::local::{LocalStore, UploadFolder};
use serde_json::json;

use super::*;

const LIMITS: TicketLimits = TicketLimits { person_bytes: 100, person_files: 4, bytes: 150, files: 6 };

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

fn file(person: &str, path: &str, size: u64) -> Announced {
    let person = person.parse().unwrap();
    Announced { person, path: path.to_owned(), size, sha256: Digest::of(path.as_bytes()) }
}

fn announce(tickets: &Tickets, file: &Announced, seconds: i64) -> String {
    tickets.announce(file.clone(), at(seconds)).unwrap().unwrap()
}

fn folder(data: &std::path::Path) -> UploadFolder {
    LocalStore::open(data).unwrap().0.upload_folder().unwrap()
}

#[test]
fn uploads_are_collected_in_order_and_published_once() {
    let data = tempfile::tempdir().unwrap();
    let (folder, tickets) = (folder(data.path()), Tickets::new(LIMITS));
    let files: Vec<_> = ["b", "a"].map(|path| file("ann", path, 40)).into_iter().collect();
    let files: Vec<_> = files.into_iter().map(|file| (announce(&tickets, &file, 0), file)).collect();
    assert_eq!(tickets.collect(&files, at(1)).err(), Some(("b".into(), Unusable::NotStored)));
    for (ticket, file) in &files {
        tickets.store(ticket, folder.store(file.path.as_bytes()).unwrap());
    }
    for _ in 0..2 {
        let Ok(Collected::Files(uploads)) = tickets.collect(&files, at(1)) else { panic!() };
        let contents: Vec<_> = uploads.iter().map(|upload| upload.read().unwrap()).collect();
        assert_eq!(contents, [b"b", b"a"]);
    }
    tickets.finish(&files, &json!(1));
    tickets.finish(&files, &json!(1));
    let Ok(Collected::Published(answer)) = tickets.collect(&files, at(2)) else { panic!() };
    assert_eq!(*answer, json!(1));
    assert!(tickets.collect(&files[1..], at(2)).is_err(), "the other tickets have ended");
    assert!(tickets.file(&files[0].0, &files[0].1.person, at(2)).is_none());
    let table = tickets.table.lock();
    assert_eq!((table.all, table.people.len(), table.tickets.len()), (Usage::default(), 0, 1));
}

#[test]
fn ticket_is_for_one_person_and_file() {
    let tickets = Tickets::new(LIMITS);
    let own = file("ann", "a", 10);
    let ticket = announce(&tickets, &own, 0);
    let ben = "ben".parse().unwrap();
    assert_eq!(tickets.file(&ticket, &own.person, at(1)), Some(own.clone()));
    assert_eq!(tickets.file(&ticket, &ben, at(1)), None);
    assert_eq!(tickets.file("guess", &own.person, at(1)), None);
    for other in [
        Announced { person: ben, ..own.clone() },
        Announced { path: "../a".into(), ..own.clone() },
        Announced { size: 11, ..own.clone() },
        Announced { sha256: Digest::of(b"x"), ..own.clone() },
    ] {
        let refused = tickets.collect(&[(ticket.clone(), other)], at(1));
        assert_eq!(refused.err().map(|(_, why)| why), Some(Unusable::Unknown));
    }
}

#[test]
fn expired_ticket_is_unknown_and_frees_its_file() {
    let data = tempfile::tempdir().unwrap();
    let (folder, tickets) = (folder(data.path()), Tickets::new(LIMITS));
    let own = file("ann", "a", 10);
    let ticket = announce(&tickets, &own, 0);
    tickets.store(&ticket, folder.store(b"a").unwrap());
    let files = [(ticket.clone(), own.clone())];
    assert!(tickets.collect(&files, at(899)).is_ok());
    assert!(tickets.collect(&files, at(900)).is_err());
    assert_eq!(tickets.file(&ticket, &own.person, at(900)), None);
    tickets.remove_expired(at(900));
    let table = tickets.table.lock();
    assert!(table.tickets.is_empty() && table.people.is_empty() && table.by_age.is_empty());
}

#[test]
fn uploads_are_limited_per_person_and_in_all() {
    let tickets = Tickets::new(LIMITS);
    let refused = |file: Announced| tickets.announce(file, at(1)).unwrap().err();
    announce(&tickets, &file("ann", "a", 60), 0);
    assert_eq!(refused(file("ann", "b", 41)), Some(Full::OfPerson));
    assert_eq!(refused(file("ann", "b", u64::MAX)), Some(Full::OfPerson));
    for path in ["b", "c", "d"] {
        announce(&tickets, &file("ann", path, 0), 0);
    }
    assert_eq!(refused(file("ann", "e", 0)), Some(Full::OfPerson));
    assert_eq!(refused(file("ben", "a", 91)), Some(Full::OfAll));
    announce(&tickets, &file("ben", "a", 90), 0);
    announce(&tickets, &file("ben", "b", 0), 0);
    assert_eq!(refused(file("ben", "c", 0)), Some(Full::OfAll));
    tickets.remove_expired(at(900));
    announce(&tickets, &file("ann", "a", 100), 900);
}
