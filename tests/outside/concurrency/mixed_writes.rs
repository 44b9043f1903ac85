//! Writes of every kind on many connections. The benchmark `mixed-writes` runs the same load for
//! longer.

use std::time::Duration;

use benches::mixed_writes::{CONFIG, CONNECTIONS, Kind, Person, WriteLoad};

use crate::harness::Registry;

#[test]
fn mixed_writes_from_64_connections_lose_nothing() {
    let mut registry = Registry::with_config(CONFIG);
    let person = |number| {
        let user = registry.user(&format!("person-{number}"));
        Person { handle: user.handle, token: user.token }
    };
    let people: Vec<Person> = (0..CONNECTIONS).map(person).collect();
    let address = registry.base().strip_prefix("http://").unwrap().parse().unwrap();
    let admin = registry.admin().token;
    let lasts = Duration::from_secs(5);
    let done = WriteLoad { address, admin: &admin, people: &people, lasts, seed: 1 }.run();
    let done = done.unwrap_or_else(|why| panic!("{why}"));
    for kind in [Kind::Publish, Kind::Star, Kind::Rate, Kind::Tag] {
        let written =
            done.iter().filter(|done| done.action.kind() == kind && done.revision.is_some()).count();
        assert!(written > 0, "there is no {kind:?} among {} answers", done.len());
    }
    registry.stop();
    registry.command(["verify"]).ok();
}
