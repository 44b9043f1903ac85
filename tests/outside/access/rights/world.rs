//! A registry with a user for each column of the table.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::table::{Expected, PEOPLE, Row};
use crate::harness::{PASSWORD, Registry, User, eventually};

/// The kinds of use that a token can be limited to.
pub const SCOPES: [&str; 5] = ["read", "publish", "social", "manage", "tokens"];

/// Teams with the same members. The first takes everything, the second reviews,
/// the third is frozen, the author leaves the fourth; the status of the fifth
/// changes.
const TEAMS: [&str; 5] = ["open", "strict", "frozen", "past", "fickle"];

/// Each person of a column asks for more than the usual limits.
const UNLIMITED: &str = "[limits]\nwrites_per_minute = 1000000\npending_per_person = 1000000\ntokens_per_person = 1000000\nnamespaces_per_person = 1000000\nskills_per_person = 1000000\n";

/// The sender of a cell's request.
pub struct Caller {
    /// The column.
    pub name: String,
    /// With what.
    pub credential: Option<User>,
    /// A user who can prepare the object: the sender, or another user if it makes no difference.
    pub person: User,
    /// The expected response.
    pub expected: Expected,
}

pub struct World {
    pub registry: Registry,
    /// Those of the columns after the first.
    people: Vec<User>,
    /// Another owner of the teams.
    pub keeper: User,
    /// The user who joins and leaves.
    pub spare: User,
    /// The platform admin with one scope each.
    narrow: Vec<User>,
    /// Tokens that no longer work: expired, revoked, or of a disabled account.
    dead: Vec<(&'static str, User)>,
    /// The user with a password.
    pub signer: &'static str,
    numbers: AtomicU64,
}

impl World {
    pub fn new() -> Self {
        let mut registry = Registry::configured(UNLIMITED);
        registry.start_with(&["--no-mirror"]);
        let admin = registry.admin();
        let token = |body: Value| -> Value {
            registry.as_user(&admin).post_json("/api/v1/tokens", &body).expect_json(201)
        };
        let with_token = |made: &Value| admin.with_token(made["token"].as_str().expect("its text"));
        let soon = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second() + 10).expect("a time");
        let expired = with_token(&token(json!({"name": "expired", "expiresAt": soon.to_string()})));
        let revoked = token(json!({"name": "revoked"}));
        let path = format!("/api/v1/tokens/{}", revoked["id"].as_str().expect("an id"));
        registry.as_user(&admin).delete(&path).expect(204);
        let narrow = SCOPES.map(|scope| with_token(&token(json!({"name": scope, "scopes": [scope]}))));
        let mut people: Vec<User> =
            ["out", "mem", "adm", "own", "aut"].iter().map(|handle| registry.user(handle)).collect();
        people.push(with_role(&registry, "mod", "moderator"));
        people.push(admin.clone());
        let gone = with_role(&registry, "gone", "admin");
        registry.command(["user", "disable", "gone"]).ok();
        let dead = vec![("expired", expired), ("revoked", with_token(&revoked)), ("disabled", gone)];
        for (_, user) in &dead {
            eventually("the token has expired", || {
                (registry.as_user(user).get("/api/v1/whoami").status == 401).then_some(())
            });
        }
        let (keeper, spare) = (registry.user("keeper"), registry.user("spare"));
        let signer = "signer";
        registry
            .command_with_input(["user", "add", signer, "--password-stdin"], &format!("{PASSWORD}\n"))
            .ok();
        let (narrow, numbers) = (narrow.into(), 1.into());
        let world = Self { registry, people, keeper, spare, narrow, dead, signer, numbers };
        world.make_teams();
        world
    }

    fn make_teams(&self) {
        let own = self.person("owner");
        let members = [("member", "member"), ("admin", "admin"), ("author", "member")];
        for team in TEAMS.iter().chain(&["lone"]) {
            self.registry.team(team, own);
            for (person, role) in members {
                self.registry.join(team, own, self.person(person), role);
            }
            if *team != "lone" {
                self.registry.join(team, own, &self.keeper, "owner");
            }
        }
        let strict = json!({"reviewRequired": true});
        self.registry.as_user(own).put_json("/api/v1/namespaces/strict", &strict).expect(200);
        self.registry.team("leaving", &self.keeper);
    }

    /// Whom a column is about.
    pub fn person(&self, name: &str) -> &User {
        let column = PEOPLE.iter().position(|other| *other == name).expect("a column");
        &self.people[column - 1]
    }

    /// The platform admin.
    pub fn admin(&self) -> &User {
        self.person("platform admin")
    }

    /// A number that was not given yet.
    pub fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Everybody who sends a row's request.
    pub fn callers(&self, row: &Row) -> Vec<Caller> {
        let mut callers = vec![Caller {
            name: PEOPLE[0].to_owned(),
            credential: None,
            person: self.people[0].clone(),
            expected: row.cells[0],
        }];
        let mut add = |name: &str, credential: &User, person: &User, expected| {
            let (credential, person) = (Some(credential.clone()), person.clone());
            callers.push(Caller { name: name.to_owned(), credential, person, expected });
        };
        for (index, person) in self.people.iter().enumerate() {
            add(PEOPLE[index + 1], person, person, row.cells[index + 1]);
        }
        for (scope, token) in SCOPES.iter().zip(&self.narrow) {
            add(&format!("token with {scope} alone"), token, self.admin(), row.with_scope(scope));
        }
        for (name, token) in &self.dead {
            let expected =
                if row.cells[7] == Expected::Never { Expected::Never } else { Expected::Status(401) };
            add(name, token, self.admin(), expected);
        }
        callers
    }
}

fn with_role(registry: &Registry, handle: &str, role: &str) -> User {
    registry.command(["user", "add", handle, "--role", role]).ok();
    let token = registry.issue(handle, &["--name", "test"]);
    registry.wait_until_known(User { handle: handle.to_owned(), token })
}
