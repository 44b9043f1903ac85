//! A full data disk: writes are refused, reads continue, and no acknowledged write is lost.

use serde_json::json;

use crate::harness::{OnDisk, Registry, Response, Skill, User, eventually, noise, sha256};

/// Only the disk refuses tokens.
const CONFIG: &str = "[limits]\ntokens_per_person = 1000000\n";

/// The acknowledged writes so far.
#[derive(Default)]
struct Acknowledged {
    packages: Vec<(String, String)>,
    teams: Vec<String>,
    tokens: Vec<User>,
}

/// Whether a write was taken. If not, the answer has to say so.
fn is_taken(response: &Response) -> bool {
    if response.status == 201 {
        return true;
    }
    let problem = response.problem(503, "unavailable");
    assert!(response.require_header("retry-after").parse::<u32>().unwrap() > 0, "{response}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("storage") && detail.contains("nothing was changed"), "{detail}");
    false
}

impl Acknowledged {
    /// Publishes a package of `bytes`. False where that is refused.
    fn publish(&mut self, registry: &Registry, slug: &str, bytes: usize) -> bool {
        let skill = Skill::named(slug).file("data", noise(bytes, 7));
        let response = registry.publish(skill).version("1.0.0").by(&registry.admin());
        let taken = is_taken(&response);
        if taken {
            self.packages.push((slug.to_owned(), response.json()["sha256"].as_str().unwrap().to_owned()));
        }
        taken
    }

    fn make_team(&mut self, registry: &Registry, slug: &str) -> bool {
        let client = registry.as_user(&registry.admin());
        let taken = is_taken(&client.post_json("/api/v1/namespaces", &json!({ "slug": slug })));
        if taken {
            self.teams.push(slug.to_owned());
        }
        taken
    }

    fn make_token(&mut self, registry: &Registry, name: &str) -> bool {
        let admin = registry.admin();
        let response = registry.as_user(&admin).post_json("/api/v1/tokens", &json!({ "name": name }));
        let taken = is_taken(&response);
        if taken {
            self.tokens.push(admin.with_token(response.json()["token"].as_str().unwrap()));
        }
        taken
    }

    /// Creates teams and tokens until both are refused. The log has some room left when the disk is
    /// full, so a few more may succeed. Those count.
    fn write_until_refused(&mut self, registry: &Registry) {
        let refused = (0..3000).find(|n| !self.make_team(registry, &format!("late-{n}")));
        refused.expect("a disk that takes no more teams");
        let refused = (0..3000).find(|n| !self.make_token(registry, &format!("late-{n}")));
        refused.expect("a disk that takes no more tokens");
    }

    /// Asserts that the registry has exactly the acknowledged writes.
    fn assert_kept(&self, registry: &Registry) {
        for (slug, digest) in &self.packages {
            let package = registry.get(&format!("/api/v1/download/{slug}/1.0.0")).expect(200);
            assert_eq!(sha256(&package.body), *digest, "{slug}");
        }
        self.teams.iter().for_each(|team| drop(registry.read(&format!("/api/v1/namespaces/{team}"))));
        for token in &self.tokens {
            registry.as_user(token).get("/api/v1/whoami").expect(200);
        }
        assert_eq!(registry.read("/api/v1/skills")["total"], self.packages.len());
        assert_eq!(registry.read("/api/v1/namespaces")["total"], self.teams.len() + 1);
        let tokens = registry.as_user(&registry.admin()).get("/api/v1/tokens").expect_json(200);
        assert_eq!(tokens["total"], self.tokens.len() + 1);
    }
}

fn some(registry: &Registry) -> Acknowledged {
    let mut acknowledged = Acknowledged::default();
    assert!(acknowledged.publish(registry, "before", 1000));
    assert!(acknowledged.make_team(registry, "before") && acknowledged.make_token(registry, "before"));
    acknowledged
}

fn assert_not_ready(registry: &Registry) {
    let response = registry.get("/readyz");
    let problem = response.problem(503, "unavailable");
    response.require_header("retry-after");
    assert!(problem["detail"].as_str().unwrap().contains("accepts no writes"), "{problem}");
    registry.get("/healthz").expect(200);
}

fn until_ready(registry: &Registry) {
    eventually("it is ready again", || (registry.get("/readyz").status == 200).then_some(()));
}

/// The next start finds a consistent registry.
fn assert_whole(mut registry: Registry, acknowledged: &Acknowledged) {
    acknowledged.assert_kept(&registry);
    registry.kill();
    registry.restart();
    acknowledged.assert_kept(&registry);
    registry.command(["journal", "check"]).ok();
    registry.command(["verify"]).ok();
    registry.stop();
    assert_eq!(std::fs::read_dir(registry.data().join("blobs/tmp")).unwrap().count(), 0);
}

#[test]
fn full_disk_refuses_writes_and_loses_nothing() {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "size=4m", CONFIG);
    registry.restart();
    let mut acknowledged = some(&registry);
    registry.disk().fill();
    assert!(!acknowledged.publish(&registry, "refused", 200_000));
    assert_not_ready(&registry);
    acknowledged.write_until_refused(&registry);
    let given = registry.folder().join("given");
    Skill::named("given").write_to(&given);
    let output = registry.command(["import".as_ref(), given.as_os_str()]);
    assert!(output.code == 1 && output.printed().contains("storage"), "{output:?}");
    acknowledged.assert_kept(&registry);
    assert_not_ready(&registry);

    registry.disk().free();
    until_ready(&registry);
    assert!(acknowledged.publish(&registry, "refused", 200_000));
    assert!(acknowledged.make_team(&registry, "after") && acknowledged.make_token(&registry, "after"));
    assert_whole(registry, &acknowledged);
}

#[test]
fn disk_without_inodes_is_a_full_disk() {
    let mut registry = Registry::on_small_disk(OnDisk::Data, "nr_inodes=200", CONFIG);
    registry.restart();
    let mut acknowledged = some(&registry);
    registry.disk().use_up_files();
    assert!(!acknowledged.publish(&registry, "refused", 1000));
    assert_not_ready(&registry);
    // Writes that need no file succeed.
    assert!(acknowledged.make_team(&registry, "meanwhile"));
    registry.disk().free();
    until_ready(&registry);
    assert!(acknowledged.publish(&registry, "refused", 1000));
    assert_whole(registry, &acknowledged);
}

#[test]
fn unwritable_files_are_a_full_disk() {
    let mut registry = Registry::not_started();
    registry.start_for_file_limit();
    let mut acknowledged = some(&registry);
    // As a disk does that became read-only under open files.
    registry.process().limit_files(Some(0));
    assert!(!acknowledged.make_team(&registry, "refused"));
    assert_not_ready(&registry);
    assert!(!acknowledged.make_token(&registry, "refused"));
    assert!(!acknowledged.publish(&registry, "refused", 1000));
    acknowledged.assert_kept(&registry);
    registry.process().limit_files(None);
    until_ready(&registry);
    acknowledged.assert_kept(&registry);
    assert!(acknowledged.publish(&registry, "refused", 1000));
    assert!(acknowledged.make_team(&registry, "refused") && acknowledged.make_token(&registry, "refused"));
    assert_whole(registry, &acknowledged);
}
