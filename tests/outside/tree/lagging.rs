//! A tree that cannot be written: waiting clients are told, and reads agree.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::harness::{Registry, Response, Skill, eventually, sha256};

const MOVING: &[&str] = &[
    "/api/v1/skills/global/hello/download",
    "/api/v1/download/hello/latest",
    "/api/v1/download/hello/stable",
];

fn louder() -> Skill {
    Skill::named("hello").text("Louder.\n")
}

/// Replaces the folder of temporary files, so that no file can be written.
struct Obstacles(Vec<PathBuf>);

impl Obstacles {
    fn in_the_way_of(registry: &Registry) -> Self {
        // Each thread that writes has a number of its own.
        let begin = |number| registry.folder().join(format!("public.state/tmp/{number}"));
        let folders: Vec<_> = (0..64).map(begin).collect();
        for folder in &folders {
            fs::create_dir(folder).unwrap();
        }
        Self(folders)
    }

    fn remove(self) {
        self.0.iter().for_each(|folder| fs::remove_dir(folder).unwrap());
    }
}

/// A registry whose tree holds 1.0.0, and whose catalog holds 7.0.0 too.
fn stuck() -> (Registry, Obstacles) {
    let registry = Registry::with_config("[mirror]\nwait_timeout = 1\n");
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).version("1.0.0").tags("stable").by(&admin).expect(201);
    eventually("the tree has it", || {
        let ready = registry.get("/readyz").expect_json(200);
        (ready["mirrorRevision"] == ready["revision"]).then_some(())
    });
    let obstacles = Obstacles::in_the_way_of(&registry);
    let late = registry.publish(louder()).version("7.0.0").tags("stable").by(&admin).expect(201);
    late.require_header("x-mirror-lag");
    (registry, obstacles)
}

fn is_version(response: &Response, version: &str) {
    let name = format!("attachment; filename=\"hello-{version}.zip\"");
    assert_eq!(response.require_header("content-disposition"), name, "{}", response.asked);
    assert_eq!(
        response.require_header("etag"),
        format!("\"{}\"", sha256(&response.body)),
        "{}",
        response.asked
    );
}

#[test]
fn resolved_version_is_the_version_sent() {
    let (registry, obstacles) = stuck();
    let version = || registry.read("/api/v1/skills/global/hello/resolve")["version"].clone();
    let exact = |version: &str| {
        registry.get(&format!("/api/v1/skills/global/hello/versions/{version}/download")).expect(200).body
    };
    assert_eq!(version(), "1.0.0");
    for path in MOVING {
        let response = registry.get(path).expect(200);
        is_version(&response, "1.0.0");
        assert!(response.body == exact("1.0.0"), "{path}");
    }
    assert_ne!(exact("7.0.0"), exact("1.0.0"));

    obstacles.remove();
    eventually("the tree holds 7.0.0", || (version() == "7.0.0").then_some(()));
    for path in MOVING {
        is_version(&registry.get(path).expect(200), "7.0.0");
    }
}

#[test]
fn repeated_publish_waits_like_the_first() {
    let (registry, obstacles) = stuck();
    let again = || registry.publish(louder()).version("7.0.0").by(&registry.admin()).expect(200);
    again().require_header("x-mirror-lag");
    let rehearsed = registry.publish(louder()).version("7.0.0").dry_run().by(&registry.admin()).expect(200);
    assert_eq!(rehearsed.header("x-mirror-lag"), None, "a rehearsal waits for nothing");
    obstacles.remove();
    eventually("the tree holds it", || again().header("x-mirror-lag").is_none().then_some(()));
}

#[test]
fn readiness_names_documents_but_no_paths_of_the_machine() {
    let (registry, obstacles) = stuck();
    let refused = eventually("it is not ready", || {
        let response = registry.get("/readyz");
        (response.status != 200).then_some(response)
    });
    let problem = refused.problem(503, "unavailable");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("api/v1/download/hello/7.0.0.zip"), "{detail}");
    assert!(!detail.contains("os error") && !detail.contains("public.state"), "{detail}");
    obstacles.remove();
    eventually("it is ready again", || (registry.get("/readyz").status == 200).then_some(()));
}

#[test]
fn document_has_the_time_of_its_own_file() {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&registry.admin()).expect(201);
    let folder = registry.public().join("api/v1/skills/global/hello");
    let (home, latest) = (folder.join("versions/1.0.0/download.zip"), folder.join("download.zip"));
    fs::remove_file(&latest).unwrap();
    fs::copy(home, &latest).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::options().write(true).open(&latest).unwrap().set_modified(time).unwrap();
    let response = registry.get(MOVING[0]).expect(200);
    is_version(&response, "1.0.0");
    assert_eq!(response.require_header("last-modified"), "Sun, 09 Sep 2001 01:46:40 GMT");
}
