//! Compares the registry with the model.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::action::{Action, TEAM};
use super::model::{Model, Skill, none};
use super::write_load::Person;
use crate::Failure;
use crate::http::{Connection, header};
use crate::request::Sender;

/// How long the tree may take to show the last numbers of stars and ratings of
/// all skills.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How often it is looked at meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Items of a page, the most there can be.
const PAGE: usize = 100;

/// A reader of the registry.
struct Looking<'a> {
    connection: Connection,
    asking: Sender<'a>,
}

impl<'a> Looking<'a> {
    fn of(address: SocketAddr, person: &'a Person) -> Result<Self, Failure> {
        let asking = Sender { address, token: &person.token };
        Ok(Self { connection: Connection::to(address)?, asking })
    }

    /// The JSON of a request that is answered with 200 and changes nothing.
    fn ask(&mut self, request: &[u8]) -> Result<Value, Failure> {
        let answer = self.connection.ask(request)?;
        let text = String::from_utf8_lossy(&answer.body);
        match (answer.status, header(&answer.head, "x-revision")) {
            (200, None) => Ok(serde_json::from_str(&text)?),
            _ => Err(format!("it ought to be 200 and no change: {}{text}", answer.head).into()),
        }
    }

    fn get(&mut self, path: &str) -> Result<Value, Failure> {
        let request = self.asking.plain("GET", path);
        self.ask(&request)
    }

    /// All items of a list, on all its pages.
    fn all(&mut self, list: &str) -> Result<Vec<Value>, Failure> {
        let mut found = Vec::new();
        for page in 1.. {
            let answer = self.get(&format!("{list}page={page}&size={PAGE}"))?;
            let items = answer.get("items").and_then(Value::as_array).ok_or("a list without items")?;
            found.extend(items.iter().cloned());
            if items.len() < PAGE {
                break;
            }
        }
        Ok(found)
    }
}

/// A field of a record, as text.
fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The pairs of two fields of each item, sorted.
fn pairs<'a>(items: &'a [Value], [first, second]: [&str; 2]) -> Vec<(&'a str, &'a str)> {
    let mut pairs: Vec<_> = items.iter().map(|item| (text(item, first), text(item, second))).collect();
    pairs.sort_unstable();
    pairs
}

impl Model {
    /// Compares it with what the server at `address` answers.
    ///
    /// Errors: all differences, one on each line.
    pub fn compare(&self, address: SocketAddr, people: &[Person]) -> Result<(), Failure> {
        let person = people.first().ok_or("there is nobody to look")?;
        let mut looking = Looking::of(address, person)?;
        let mut complaints = Vec::new();
        let deadline = Instant::now() + START_TIMEOUT;
        for (slug, skill) in &self.skills {
            complaints.extend(skill.compare(slug, &mut looking, deadline)?);
            complaints.extend(skill.compare_live(slug, address, people)?);
        }
        let listed = looking.all(&format!("/api/v1/skills?namespace={TEAM}&"))?;
        let listed = pairs(&listed, ["slug", "namespace"]);
        if listed != self.skills.keys().map(|slug| (slug.as_str(), TEAM)).collect::<Vec<_>>() {
            complaints.push(format!("the list has other skills: {listed:?}"));
        }
        for (who, person) in people.iter().enumerate() {
            let starred = Looking::of(address, person)?.all("/api/v1/me/stars?")?;
            let given = |(_, skill): &(&String, &Skill)| skill.stars.contains(&who);
            let expected: Vec<_> = self.skills.iter().filter(given).map(|(slug, _)| slug.as_str()).collect();
            let mut found: Vec<_> = starred.iter().map(|item| text(item, "slug")).collect();
            found.sort_unstable();
            if found != expected {
                complaints.push(format!("{} has starred {found:?}, not {expected:?}", person.handle));
            }
        }
        none(&complaints)
    }
}

impl Skill {
    /// The differences in the documents of a skill. Its counters have until `deadline` to appear.
    fn compare(
        &self,
        slug: &str,
        looking: &mut Looking<'_>,
        deadline: Instant,
    ) -> Result<Vec<String>, Failure> {
        let path = format!("/api/v1/skills/{TEAM}/{slug}");
        let mut complaints = Vec::new();
        loop {
            let record = looking.get(&path)?;
            let has_stars = record.get("starCount") == Some(&json!(self.stars.len()));
            if has_stars && self.shows_ratings(&record) && record.get("tags") == Some(&json!(self.tags)) {
                break;
            }
            if Instant::now() > deadline {
                complaints.push(format!("{slug} is {self:?} and not {record}"));
                break;
            }
            thread::sleep(POLL_INTERVAL);
        }
        let versions = looking.get(&format!("{path}/versions"))?;
        let items = versions.get("items").and_then(Value::as_array).ok_or("versions without items")?;
        let found = pairs(items, ["version", "sha256"]);
        let expected = self.versions.iter().map(|(version, content)| (version.as_str(), &*content.sha256));
        if found != expected.collect::<Vec<_>>() {
            complaints.push(format!("{slug} has versions {found:?}, not {:?}", self.versions));
        }
        let tags = looking.get(&format!("{path}/tags"))?;
        let items = tags.get("items").and_then(Value::as_array).ok_or("tags without items")?;
        let found: BTreeMap<&str, &str> = pairs(items, ["name", "version"]).into_iter().collect();
        let names: BTreeSet<&str> = self.tags.keys().map(String::as_str).chain(["latest"]).collect();
        let is_same =
            self.tags.iter().all(|(tag, version)| found.get(tag.as_str()) == Some(&version.as_str()));
        if !is_same || found.len() != names.len() || items.len() != names.len() {
            complaints.push(format!("{slug} has tags {found:?}, not {:?}", self.tags));
        }
        Ok(complaints)
    }

    /// The differences in the responses to writes, which have the current counters. If the registry
    /// equals the model, these writes change nothing.
    fn compare_live(
        &self,
        slug: &str,
        address: SocketAddr,
        people: &[Person],
    ) -> Result<Vec<String>, Failure> {
        let ask = |who: usize, action: Action| {
            let mut looking = Looking::of(address, people.get(who).ok_or("nobody has that number")?)?;
            let request = action.request(slug, looking.asking)?;
            looking.ask(&request).map_err(|why| Failure::from(format!("{action:?} of {slug} again: {why}")))
        };
        let mut complaints = Vec::new();
        let (action, starred) =
            if self.stars.contains(&0) { (Action::Star, true) } else { (Action::Unstar, false) };
        let stars = ask(0, action)?;
        if stars != self.starred(starred) {
            complaints.push(format!("the stars of {slug} are {stars} and not {:?}", self.stars));
        }
        if let Some((who, score)) = self.ratings.first_key_value() {
            let ratings = ask(*who, Action::Rate(*score))?;
            if !self.is_rated(&ratings, *score) {
                complaints.push(format!("the ratings of {slug} are {ratings} and not {:?}", self.ratings));
            }
        }
        Ok(complaints)
    }
}
