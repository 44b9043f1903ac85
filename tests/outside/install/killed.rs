//! Installs that are killed at many moments while a reader watches: the skill is always complete,
//! and the next run succeeds.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

use crate::harness::{FakeHost, Project, Registry, Reply, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

/// The files of the skill beside its `SKILL.md`: the last has 1,500 bytes, and what the
/// record says of all is longer than that.
const FILES: usize = 30;

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        let mut skill = Skill::named("hello").text(version);
        for number in 1..=FILES {
            skill = skill.file(&format!("files/{number:02}"), version.repeat(number * 10));
        }
        registry.publish(skill).version(version).by(&admin).expect(201);
    }
    registry
}

/// The registry's tree on a host that can break off.
struct Host {
    host: FakeHost,
    broken: Arc<Mutex<Option<&'static str>>>,
}

impl Host {
    fn start() -> Self {
        let registry = REGISTRY.get(registry);
        let broken = Arc::new(Mutex::new(None));
        let breaks = Arc::clone(&broken);
        let host = FakeHost::answering(move |asked| {
            let found = fs::read(registry.public().join(asked.path.trim_start_matches('/')));
            let reply = found.map_or_else(|_| Reply::status(404), Reply::bytes);
            let breaks = breaks.lock().unwrap().is_some_and(|broken| asked.path.contains(broken));
            if breaks { reply.announcing(1_000_000) } else { reply }
        });
        Self { host, broken }
    }
}

/// Lets the reader end, also where the test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Reads the skill again and again until `ends`, and counts how often it was whole.
fn read_on<'s>(
    scope: &'s Scope<'s, '_>,
    skill: PathBuf,
    ends: &'s AtomicBool,
    whole: &'s AtomicUsize,
) -> ScopedJoinHandle<'s, ()> {
    scope.spawn(move || {
        while !ends.load(Ordering::SeqCst) {
            std::thread::yield_now();
            let Ok(folder) = File::open(&skill) else {
                assert_eq!(whole.load(Ordering::SeqCst), 0, "a skill that was there is gone");
                continue;
            };
            let read = versions(&PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())));
            let of = |there: fs::Metadata| (there.dev(), there.ino());
            // A skill that has been replaced is being removed.
            if fs::metadata(&skill).is_ok_and(|now| of(now) == of(folder.metadata().unwrap())) {
                let versions = read.expect("a folder that can be read");
                assert_eq!(versions.len(), 1, "a mixture or a part of versions: {versions:?}");
                whole.fetch_add(1, Ordering::SeqCst);
            }
        }
    })
}

/// The versions whose files are all there; those that are not, with a question mark.
fn versions(folder: &Path) -> std::io::Result<BTreeSet<String>> {
    let mut versions = BTreeSet::new();
    for number in 1..=FILES {
        let text = fs::read_to_string(folder.join(format!("files/{number:02}")))?;
        let version: String = text.chars().take(5).collect();
        let is_whole = text == version.repeat(number * 10) && !version.is_empty();
        versions.insert(if is_whole { version } else { format!("{version}?") });
    }
    Ok(versions)
}

/// The names below `.skillmirror`, however little of it there is, in folders that begin
/// with `prefix`.
fn inside(project: &Project, prefix: &str) -> Vec<PathBuf> {
    let own = fs::read_dir(project.path("skills/.skillmirror")).into_iter().flatten().flatten();
    let of_that_name = own.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    let walks = of_that_name.map(|entry| walkdir::WalkDir::new(entry.path()));
    walks.flat_map(|walk| walk.into_iter().flatten()).map(walkdir::DirEntry::into_path).collect()
}

fn skill_is(project: &Project) -> Option<u64> {
    fs::metadata(project.path("skills/hello")).ok().map(|there| there.ino())
}

/// Starts the program so that it is killed when a file of its own becomes longer.
fn limited(project: &Project, bytes: usize) -> Command {
    let program = project.program();
    let mut limited = Command::new("prlimit");
    limited.arg(format!("--fsize={bytes}")).arg("--core=0").arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited.current_dir(project.path(""));
    limited
}

fn start(mut program: Command, source: &str, version: &str) -> Child {
    program.args(["install", &format!("hello@{version}"), "--registry", source]);
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program.spawn().expect("the program starts")
}

/// Kills the program when `seen`, unless it has ended by then.
fn kill_when(mut child: Child, seen: impl Fn() -> bool) {
    while child.try_wait().unwrap().is_none() {
        if seen() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// After a killed run, the same command completes the install.
fn mend(project: &Project, host: &Host, version: &str) {
    *host.broken.lock().unwrap() = None;
    project.run_with(&host.host.base, &format!("install hello@{version}")).ok();
    let list = project.run("list").ok().stdout;
    assert!(list.contains(version) && list.contains("unchanged"), "{list}");
    assert_eq!(versions(&project.path("skills/hello")).unwrap(), [version.to_owned()].into());
    let own: Vec<_> = project.snapshot("skills/.skillmirror").into_keys().collect();
    assert_eq!(own, ["installed.json"]);
}

/// Kills a run and mends what it left, all with a reader.
fn round(project: &Project, host: &Host, version: &str, killed: impl FnOnce(&Project, &Host, &str)) {
    let (ends, whole) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let _ends = Ends(&ends);
        let reader = read_on(scope, project.path("skills/hello"), &ends, &whole);
        killed(project, host, version);
        mend(project, host, version);
        let so_far = whole.load(Ordering::SeqCst);
        while whole.load(Ordering::SeqCst) == so_far && !reader.is_finished() {
            std::thread::yield_now();
        }
    });
}

/// Runs it in an empty project and in one with the other version.
fn both(killed: impl Fn(&Project, &Host, &str)) {
    let (project, host) = (Project::new(), Host::start());
    round(&project, &host, "1.0.0", &killed);
    round(&project, &host, "1.1.0", &killed);
}

#[test]
fn kill_during_requests_leaves_skill_whole() {
    for broken in ["/resolve/", "/hello/versions/", "/download.zip"] {
        both(|project, Host { host, broken: breaks }, version| {
            let before = host.paths().len();
            *breaks.lock().unwrap() = Some(broken);
            let child = start(project.program(), &host.base, version);
            kill_when(child, || host.paths()[before..].iter().any(|path| path.contains(broken)));
        });
    }
}

#[test]
fn kill_during_file_writes_leaves_skill_whole() {
    // The record is longer than the longest file.
    for bytes in [0, 40, 700, FILES * 50 - 1, FILES * 50] {
        both(|project, Host { host, .. }, version| {
            let ended = start(limited(project, bytes), &host.base, version).wait().unwrap();
            assert!(ended.signal().is_some(), "it was killed while it wrote: {ended}");
            assert!(!inside(project, "tmp-").is_empty(), "something was begun");
        });
    }
}

#[test]
fn kill_during_renames_leaves_skill_whole() {
    type Seen = fn(&Project, Option<u64>) -> bool;
    let moments: [Seen; 4] = [
        |project, _| !inside(project, "tmp-").is_empty(),
        |project, _| inside(project, "tmp-").iter().any(|path| path.ends_with("installed.json")),
        |project, before| skill_is(project) != before,
        |project, _| !inside(project, "rubbish-").is_empty(),
    ];
    for seen in moments {
        both(|project, Host { host, .. }, version| {
            let before = skill_is(project);
            kill_when(start(project.program(), &host.base, version), || seen(project, before));
        });
    }
}
