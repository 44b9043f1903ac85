//! A running registry that is published to.

use std::ffi::OsStr;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use generator::address::Tier;

use super::written::{Inodes, Written};
use crate::Failure;
use crate::http::{Connection, Response, header};
use crate::numbers::mebibytes;
use crate::process::peak_memory;
use crate::program::{Server, run};
use crate::request::Sender;
use crate::world::{MEDIAN, Size, World, namespace, package, slug};

/// How many skills take turns in getting versions, whatever the size of the
/// registry, so that the skills are as many at the end as at the start, and each
/// has as many versions in the one as in the other. They are spread evenly over all:
/// of two skills that a word weighs as much in, the older one comes first in lists, so
/// that a change of the oldest ones is seen in more of them.
const TAKING_TURNS: usize = 1_000;

/// The program's default of 6,000 writes a minute is for one person.
const SETTINGS: &str = "[limits]\nwrites_per_minute = 1000000\n";

/// The server gives up a connection on which nothing comes for ten seconds.
const IDLE: Duration = Duration::from_secs(5);

/// A server with an up-to-date tree.
pub struct Published {
    folder: PathBuf,
    server: Server,
    connection: Connection,
    /// When its last answer came.
    answered: Instant,
    token: String,
    skills: usize,
    /// How many samples were taken, each of two versions.
    samples: usize,
}

/// Publications through several connections at once.
pub struct AtOnce {
    /// Answers a second.
    pub a_second: f64,
    /// Files of the tree for each.
    pub files: f64,
}

impl Published {
    /// Starts one on a copy of the world of that size, in the new folder.
    pub fn start(size: Size, folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder)?;
        let [data, public, config] = ["data", "public", "config.toml"].map(|name| folder.join(name));
        World::of(size)?.copy_to(&data)?;
        fs::write(&config, SETTINGS)?;
        let [with, data_at, out, tree] = ["--config", "--data", "--out", "--public"].map(OsStr::new);
        let generate = OsStr::new("generate");
        run(&[generate, with, config.as_ref(), data_at, data.as_ref(), out, public.as_ref()])?;
        let server = Server::start(&[with, config.as_ref(), data_at, data.as_ref(), tree, public.as_ref()])?;
        let token = fs::read_to_string(data.join("admin-token"))?.trim().to_owned();
        let connection = Connection::to(server.address)?;
        let answered = Instant::now();
        Ok(Self {
            folder: folder.to_owned(),
            server,
            connection,
            answered,
            token,
            skills: size.skills,
            samples: 0,
        })
    }

    /// Publishes a new version of the median package, and returns how long it
    /// took until the answer, which comes when the tree holds the documents of its skill.
    ///
    /// Errors: another answer, or one that came before the tree was there.
    pub fn publish(&mut self, seed: usize) -> Result<Duration, Failure> {
        self.publish_to(self.takes_turn(seed), seed, false)
    }

    fn publish_to(&mut self, skill: usize, seed: usize, waits: bool) -> Result<Duration, Failure> {
        let zip = archive(skill, seed)?;
        let asking = self.sender();
        let request = match waits {
            true => asking.waiting_publication(&namespace(skill), &zip),
            false => asking.publication(&namespace(skill), &zip),
        };
        if self.answered.elapsed() > IDLE {
            self.connection = Connection::to(self.server.address)?;
        }
        let start = Instant::now();
        let answer = self.connection.ask(&request)?;
        let took = start.elapsed();
        self.answered = Instant::now();
        let Response { status, head, body } = answer;
        if status != 201 || header(&head, "x-mirror-lag").is_some() {
            return Err(format!("publish: {head}{}", String::from_utf8_lossy(&body)).into());
        }
        Ok(took)
    }

    /// Whose turn it is.
    fn takes_turn(&self, seed: usize) -> usize {
        let taking_turns = TAKING_TURNS.min(self.skills);
        seed % taking_turns * (self.skills / taking_turns)
    }

    /// Publishes new skills through this many connections at once. Returns how many a second were
    /// answered, and how many files the tree got for each until its head held them all.
    pub fn publish_at_once(&mut self, from: usize, many: usize, at_once: usize) -> Result<AtOnce, Failure> {
        let requests = (from..from + many).map(|number| {
            let skill = self.skills + number;
            Ok(self.sender().publication(&namespace(skill), &archive(skill, number)?))
        });
        let requests: Vec<_> = requests.collect::<Result<_, Failure>>()?;
        let public = self.folder.join("public");
        let before = Inodes::of(&public)?;
        let took = ask_at_once(self.server.address, &requests, at_once)?;
        self.publish_to(self.skills + from + many, from + many, true)?;
        let written = before.since(&public, &[Tier::Own, Tier::Shared])?;
        let each = |count: f64| count / many as f64;
        Ok(AtOnce { a_second: 1.0 / each(took.as_secs_f64()), files: each(written.files() as f64) })
    }

    fn sender(&self) -> Sender<'_> {
        Sender { address: self.server.address, token: &self.token }
    }

    /// Publishes a version once and finds out which files of these tiers that has written.
    pub fn sample(&mut self, tiers: &[Tier]) -> Result<Written, Failure> {
        self.sample_of(tiers, |registry, seed| registry.takes_turn(seed))
    }

    /// The same of a skill that is new. The registry has two more then: to be asked at
    /// the end.
    pub fn sample_new(&mut self, tiers: &[Tier]) -> Result<Written, Failure> {
        self.sample_of(tiers, |registry, seed| registry.skills + seed)
    }

    fn sample_of(
        &mut self,
        tiers: &[Tier],
        skill: impl Fn(&Self, usize) -> usize,
    ) -> Result<Written, Failure> {
        // The first one begins a log and a page of the feed; it is no usual one.
        self.samples += 2;
        let unusual = 1_000_000 + self.samples;
        self.publish_to(skill(self, unusual), unusual, true)?;
        let [public, log] = ["public", "data/journal.sqlite-wal"].map(|name| self.folder.join(name));
        let (before, log_before) = (Inodes::of(&public)?, fs::metadata(&log)?.len());
        let (seed, skill) = (unusual + 1, skill(self, unusual + 1));
        self.publish_to(skill, seed, true)?;
        let written = before.since(&public, tiers)?;
        let log = fs::metadata(&log)?.len().saturating_sub(log_before);
        Ok(Written { blob: archive(skill, seed)?.len() as u64, log, ..written })
    }

    /// Ends it; returns the most memory it had, in MiB.
    pub fn stop(self) -> Result<f64, Failure> {
        let peak = peak_memory(self.server.pid())?;
        self.server.stop()?;
        Ok(mebibytes(peak))
    }
}

/// Sends requests through so many connections at once. Returns the time until all were answered.
///
/// Errors: an answer that is not 201, or that came before the tree had the documents.
pub fn ask_at_once(address: SocketAddr, requests: &[Vec<u8>], at_once: usize) -> Result<Duration, Failure> {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let ask_all = || -> Result<(), String> {
        let mut connection = Connection::to(address).map_err(|why| why.to_string())?;
        while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Response { status, head, .. } = connection.ask(request).map_err(|why| why.to_string())?;
            if status != 201 || header(&head, "x-mirror-lag").is_some() {
                return Err(format!("publish: {head}"));
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(ask_all)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("panic".into())))
    })?;
    Ok(start.elapsed())
}

/// The median package as a version of that skill, for each seed another one.
fn archive(skill: usize, seed: usize) -> Result<Vec<u8>, Failure> {
    Ok(package(&slug(skill), &format!("2.{seed}.0").parse()?, (seed as u64) << 20, MEDIAN)?.archive()?)
}
