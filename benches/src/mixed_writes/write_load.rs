//! The load: each person writes on their own connection.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::action::{Action, Attempt, TEAM};
use super::model::Model;
use super::shared_state::{INITIAL_SKILLS, SharedState, first};
use crate::Failure;
use crate::http::Connection;
use crate::request::Sender;
use crate::world::Prose;

/// A writer.
#[derive(Debug, Clone)]
pub struct Person {
    /// The handle.
    pub handle: String,
    /// A token of every scope.
    pub token: String,
}

/// The settings of the load.
pub struct WriteLoad<'a> {
    /// The server.
    pub address: SocketAddr,
    /// A token of the administrator, who makes the team.
    pub admin: &'a str,
    /// Each has a connection. At least as many as there are skills at first.
    pub people: &'a [Person],
    /// How long they write.
    pub lasts: Duration,
    /// What they choose hangs on it, and on what is answered when.
    pub seed: u64,
}

impl WriteLoad<'_> {
    /// Writes, and checks that what was acknowledged is what the registry holds
    /// afterwards. Returns what was done while everybody wrote, in no order.
    ///
    /// Errors: an answer that the others' writes do not explain, or a registry
    /// that is not what was acknowledged; each of these in a line.
    pub fn run(&self) -> Result<Vec<Attempt>, Failure> {
        self.gather()?;
        let shared_state = SharedState::default();
        let mut all = self.begin(&shared_state)?;
        let before = all.len();
        let end = Instant::now() + self.lasts;
        let each: Vec<Result<Vec<Attempt>, Failure>> = thread::scope(|scope| {
            let (shared_state, writing) = (&shared_state, (0..self.people.len()));
            let running: Vec<_> =
                writing.map(|who| scope.spawn(move || self.write(who, shared_state, end))).collect();
            let ended = running.into_iter().map(thread::ScopedJoinHandle::join);
            ended.map(|end| end.unwrap_or_else(|_| Err("a writer has panicked".into()))).collect()
        });
        for attempt in each {
            all.extend(attempt?);
        }
        Model::of(&all)?.compare(self.address, self.people)?;
        Ok(all.split_off(before))
    }

    /// Makes the team, with everybody in it as an admin.
    fn gather(&self) -> Result<(), Failure> {
        let mut connection = Connection::to(self.address)?;
        let asking = Sender { address: self.address, token: self.admin };
        let mut made = |path: &str, body| -> Result<(), Failure> {
            let answer = connection.ask(&asking.json("POST", path, &body))?;
            let why = || format!("{path}: {}", String::from_utf8_lossy(&answer.body));
            if answer.status == 201 { Ok(()) } else { Err(why().into()) }
        };
        made("/api/v1/namespaces", json!({"slug": TEAM}))?;
        for person in self.people {
            let member = json!({"userId": person.handle, "role": "admin"});
            made(&format!("/api/v1/namespaces/{TEAM}/members"), member)?;
        }
        Ok(())
    }

    /// Publishes the initial skills, each by another person.
    fn begin(&self, shared_state: &SharedState) -> Result<Vec<Attempt>, Failure> {
        let publish = |who| {
            let action = Action::Publish { version: "1.0.0".to_owned(), variant: 0 };
            self.act((who, first(who), action), &mut Connection::to(self.address)?, shared_state)
        };
        (0..INITIAL_SKILLS).map(publish).collect()
    }

    /// Writes on one connection until `end`.
    fn write(&self, who: usize, shared_state: &SharedState, end: Instant) -> Result<Vec<Attempt>, Failure> {
        let mut connection = Connection::to(self.address)?;
        let mut chance = Prose::of((self.seed << 16) + who as u64);
        let mut all = Vec::new();
        while Instant::now() < end {
            let (slug, action) = shared_state.choose(&mut chance);
            all.push(self.act((who, slug, action), &mut connection, shared_state)?);
        }
        Ok(all)
    }

    fn act(
        &self,
        (who, slug, action): (usize, String, Action),
        connection: &mut Connection,
        shared_state: &SharedState,
    ) -> Result<Attempt, Failure> {
        let token = self.people.get(who).map_or("", |person| &person.token);
        let request = action.request(&slug, Sender { address: self.address, token })?;
        let start = Instant::now();
        let answer = connection.ask(&request).map_err(|why| format!("{action:?} of {slug}: {why}"))?;
        let attempt = Attempt::of((who, slug, action), &answer, start.elapsed())?;
        shared_state.learn(&attempt);
        Ok(attempt)
    }
}
