//! Tokens of jobs, exchanged at several servers of one database.

use std::thread;

use serde_json::json;

use super::servers::two_servers_with;
use crate::harness::{Skill, User};
use crate::outside::trusted::{Issuer, Trusting, github, settings};

#[test]
fn token_of_a_job_is_exchanged_at_one_of_two_servers() {
    let issuer = Issuer::new();
    let (registry, second, _database) = two_servers_with(&settings(&issuer));
    let world = Trusting::of(registry, issuer);
    world.trust(&json!({})).expect(201);
    for round in 0..5 {
        let token = world.issuer.token(&github(&json!({})));
        let body = json!({"token": token, "namespace": "tools", "slug": "hello"});
        let answers: Vec<_> = thread::scope(|scope| {
            let asked = [0, 1, 0, 1].map(|server| {
                let client = if server == 0 { world.registry.anonymous() } else { second.client() };
                let body = &body;
                scope.spawn(move || client.post_json("/api/v1/trusted/token", body))
            });
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let (done, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!(done.len(), 1, "{done:?} {refused:?}");
        for answer in refused {
            assert!(answer.detail(403, "forbidden").contains("used before"));
        }
        // What one server gave is good at the other.
        let token = done[0].json()["token"].as_str().unwrap().to_owned();
        let job = User { handle: "ann".into(), token };
        let skill = || Skill::named("hello").text(&format!("Round {round}.\n"));
        let version = format!("1.{round}.0");
        for client in [second.client(), world.registry.anonymous()] {
            let form = world.registry.publish(skill()).to("tools").version(&version);
            let published = form.try_through(&client.as_user(&job)).unwrap();
            assert!([200, 201].contains(&published.status), "{published}");
        }
    }
}
