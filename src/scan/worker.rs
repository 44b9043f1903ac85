//! Judging packages in the background: submissions first, then new versions, then what an older version of the scanner
//! has judged.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use registry::access::Credential;
use registry::ops::CommitContext;
use registry::ops::verdicts::{self, Judged, has_verdict};
use registry::package::Limits;
use registry::public::{CatalogClock, Id, ScanVerdict, Skill, VerdictSummary, VersionEntry};
use registry::time::Timestamp;
use registry::{Caller, Registry, with_causes};
use server::scan_status::ScanStatus;

use super::Scanner;
use super::program::STOPPING;

/// How often a scanner looks for new packages, and asks for its version.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
const VERSION_INTERVAL: Duration = Duration::from_secs(10 * 60);

/// The pause after a version that is not new, so that a new version of a scanner keeps no processor busy.
const PACE: Duration = Duration::from_secs(1);

/// The pause after a failed run. It doubles with each further one, up to the maximum.
const FIRST_RETRY: Duration = Duration::from_secs(10);
const MAX_RETRY: Duration = Duration::from_secs(60 * 60);

/// Failures in a row, of whichever packages, after which a scanner rests.
const BROKEN: u32 = 3;

/// How often the rest of a broken scanner doubles. Packages of one person must not stop it for long.
const MAX_REST: u32 = 3;

/// Failed runs that are remembered, and skills that are looked at while nobody can write.
const MAX_FAILED: usize = 10_000;
const MAX_LOOKED: usize = 10_000;

/// Versions that are not the latest are judged if they were published this recently.
const NEW: Duration = Duration::from_secs(24 * 60 * 60);

/// A scanner and its registry.
pub struct Worker {
    pub registry: Arc<Registry>,
    pub scanner: Scanner,
    pub limits: Limits,
    pub status: Arc<ScanStatus>,
}

/// What a worker has to do.
#[derive(Default)]
struct Queue {
    /// The state of the catalog up to which skills are queued.
    clock: Option<CatalogClock>,
    /// Skills that have changed, and those that were there before.
    changed: BTreeSet<Id>,
    old: BTreeSet<Id>,
    /// Failed runs: how many, and when the next one is due.
    failed: HashMap<Judged, (u32, Instant)>,
    /// Hashes of the packages that this version of the scanner has judged in this process. Its verdict is not recorded if
    /// it found what another version did, and that of another server may replace it: neither is judged again.
    judged: HashSet<u64>,
    hasher: RandomState,
    failures_in_a_row: u32,
}

impl Worker {
    /// Judges until the process stops.
    pub fn start(self) -> std::io::Result<JoinHandle<()>> {
        let name = format!("scan-{}", self.scanner.name);
        std::thread::Builder::new().name(name.chars().take(15).collect()).spawn(move || self.run())
    }

    fn run(self) {
        let (mut queue, mut version, mut asked) = (Queue::default(), None::<String>, None::<Instant>);
        while !STOPPING.load(Ordering::Relaxed) {
            if asked.is_none_or(|asked| {
                asked.elapsed() >= VERSION_INTERVAL || version.is_none() && asked.elapsed() >= FIRST_RETRY
            }) {
                asked = Some(Instant::now());
                match self.scanner.version() {
                    Ok(now) if version.as_ref() == Some(&now) => {}
                    Ok(now) => (queue, version) = (Queue::default(), Some(now)),
                    Err(why) => tracing::warn!("the scanner {} has no version: it {why}", self.scanner.name),
                }
            }
            let next = version.as_ref().and_then(|version| Some((version, queue.next(&self, version)?)));
            let Some((version, (next, is_old))) = next else {
                rest(LOOK_INTERVAL);
                continue;
            };
            self.judge_next(version, next, &mut queue);
            if is_old {
                rest(PACE);
            }
            // A scanner that is broken need not fail for each package.
            if queue.failures_in_a_row >= BROKEN {
                rest(pause_after((queue.failures_in_a_row - BROKEN).min(MAX_REST)));
            }
        }
    }

    fn judge_next(&self, version: &str, judged: Judged, queue: &mut Queue) {
        let outcome = self.judge(version, &judged);
        if STOPPING.load(Ordering::Relaxed) {
            return;
        }
        let failure = outcome.as_ref().err();
        self.status.ran(&self.scanner.name, &judged, failure.map(String::as_str));
        match failure {
            None => {
                queue.failures_in_a_row = 0;
                queue.failed.remove(&judged);
                queue.judged.insert(queue.hasher.hash_one(&judged));
            }
            Some(why) => {
                let about = shown(&judged);
                tracing::warn!("no verdict about {about}: the scanner {} {why}", self.scanner.name);
                queue.failures_in_a_row += 1;
                let failures = queue.failed.get(&judged).map_or(0, |(failures, _)| *failures);
                if queue.failed.len() < MAX_FAILED {
                    queue.failed.insert(judged, (failures + 1, Instant::now() + pause_after(failures)));
                }
            }
        }
    }

    /// Judges a package and records the verdict. The error is no verdict, and follows the name of the scanner.
    pub fn judge(&self, version: &str, judged: &Judged) -> Result<VerdictSummary, String> {
        let sha256 = match judged {
            Judged::Version { sha256, .. } => Some(*sha256),
            Judged::Review(id) => {
                self.registry.read(|catalog| catalog.private.reviews.get(*id).map(|review| review.sha256))
            }
        };
        let package = sha256.map(|sha256| self.registry.read_blob(sha256)).transpose();
        let package = package.map_err(|why| with_causes(&why))?.flatten();
        let package = package.ok_or("cannot be given the package: it is not stored")?;
        let verdict: ScanVerdict = self.scanner.judge(version, &package, &self.limits)?;
        let operator = Caller { credential: Credential::Operator { acting_as: None }, request: None };
        let same = self.registry.same_findings(judged, &verdict).map_err(|why| with_causes(&why))?;
        let record = |context: CommitContext<'_>| verdicts::record(context, judged, &verdict, same);
        self.registry.commit(&operator, record).map_err(|why| with_causes(&why))?;
        Ok(verdict.summary())
    }

    /// The versions of a skill that this version of the scanner has to judge.
    fn due(&self, version: &str, skill: &Skill) -> Vec<Judged> {
        let latest = skill.latest().map(|latest| &latest.version);
        let now = Timestamp::now();
        let due = skill.versions.iter().filter(|entry| {
            let is_new = !entry.is_yanked() && entry.published_at.plus(NEW) > now;
            (is_new || latest == Some(&entry.version))
                && !has_verdict(&entry.verdicts, &self.scanner.name, version)
        });
        let judged = |entry: &VersionEntry| Judged::Version {
            skill: skill.coordinate.clone(),
            version: entry.version.clone(),
            sha256: entry.sha256,
        };
        due.map(judged).collect()
    }
}

impl Queue {
    /// The next package, and whether its skill has not changed since the start.
    fn next(&mut self, worker: &Worker, version: &str) -> Option<(Judged, bool)> {
        worker.registry.read(|catalog| {
            let now = Instant::now();
            let failed = &self.failed;
            let may_run = |judged: &Judged| {
                failed.get(judged).is_none_or(|(_, due)| now >= *due)
                    && !self.judged.contains(&self.hasher.hash_one(judged))
            };
            let has = |known: &[_]| has_verdict(known, &worker.scanner.name, version);
            let mut waiting: Vec<_> =
                catalog.private.reviews.all_pending().filter(|review| !has(&review.verdicts)).collect();
            // Submissions that fail again and again come after the others.
            let failures = |id| failed.get(&Judged::Review(id)).map_or(0, |(failures, _)| *failures);
            waiting.sort_by_key(|review| (failures(review.id), review.id));
            let mut of_review = waiting.into_iter().map(|review| Judged::Review(review.id));
            if let Some(judged) = of_review.find(may_run) {
                return Some((judged, false));
            }
            match self.clock.and_then(|clock| catalog.public.changed_since(clock)) {
                Some(changed) => self.changed.extend(changed),
                None => self.old.extend(catalog.public.skills().map(|skill| skill.id)),
            }
            self.clock = Some(catalog.public.clock());
            // Failures of skills that are gone, or have a verdict by now, are forgotten.
            let again =
                failed.iter().filter(|(_, (_, due))| now >= *due).filter_map(|(judged, _)| match judged {
                    Judged::Version { skill, .. } => catalog.public.skill(skill).map(|skill| skill.id),
                    Judged::Review(_) => None,
                });
            self.changed.extend(again);
            for (ids, is_old) in [(&mut self.changed, false), (&mut self.old, true)] {
                for _ in 0..MAX_LOOKED {
                    let Some(id) = ids.last().copied() else { break };
                    let skill = catalog.public.skill_by_id(id);
                    let mut due = skill.map_or_else(Vec::new, |skill| worker.due(version, skill));
                    due.retain(may_run);
                    if due.len() <= 1 {
                        ids.remove(&id);
                    }
                    if let Some(next) = due.pop() {
                        return Some((next, is_old));
                    }
                }
            }
            None
        })
    }
}

/// The pause after some failures.
fn pause_after(failures: u32) -> Duration {
    FIRST_RETRY.saturating_mul(1 << failures.min(12)).min(MAX_RETRY)
}

/// Sleeps, unless the process stops.
fn rest(duration: Duration) {
    let end = Instant::now() + duration;
    while Instant::now() < end && !STOPPING.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(100).min(duration));
    }
}

/// A package in messages.
fn shown(judged: &Judged) -> String {
    match judged {
        Judged::Version { skill, version, .. } => format!("{} {version}", skill.scoped()),
        Judged::Review(id) => format!("the review {id}"),
    }
}
