//! The registry over the years: checks, removals, backups.

use std::path::PathBuf;

use super::harness::{Registry, Skill, User, sha256};

/// The package of a skill as it is served, by its sha256.
fn digest_of(registry: &Registry, slug: &str) -> String {
    sha256(&registry.get(&format!("/api/v1/skills/global/{slug}/download")).expect(200).body)
}

fn blob(registry: &Registry, digest: &str) -> PathBuf {
    registry.data().join("blobs").join(&digest[..2]).join(digest)
}

/// A registry with `hello` in public, and `secret-plan` of ann's, which waits.
fn with_skills() -> (Registry, User) {
    let registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let ann = registry.user("ann");
    let waiting = registry.publish(Skill::named("secret-plan")).version("1.0.0").by(&ann).expect_json(201);
    assert_eq!(waiting["status"], "pending_review");
    (registry, ann)
}

#[test]
fn a_check_reads_all_while_the_server_runs() {
    let (registry, _) = with_skills();
    let ran = registry.command(["journal", "check"]).ok();
    assert!(ran.out.contains("is whole: revisions 1 to ") && ran.out.contains("(2, of "), "{ran:?}");
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
}

#[test]
fn a_check_names_packages_that_are_lost_or_damaged() {
    let (mut registry, _) = with_skills();
    registry.publish(Skill::named("whole")).by(&registry.admin()).expect(201);
    registry.publish(Skill::named("cut")).by(&registry.admin()).expect(201);
    registry.publish(Skill::named("lost")).by(&registry.admin()).expect(201);
    let damaged = ["hello", "cut", "lost"].map(|slug| digest_of(&registry, slug));
    let [hello, cut, lost] = &damaged;
    registry.stop();
    let replace = |digest: &str, change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let path = blob(&registry, digest);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, change(bytes)).unwrap();
    };
    replace(hello, &|mut bytes| {
        bytes[40] ^= 1;
        bytes
    });
    replace(cut, &|bytes| bytes[..9].to_vec());
    std::fs::remove_file(blob(&registry, lost)).unwrap();
    let ran = registry.command(["journal", "check"]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 3), "{ran:?}");
    for (digest, what) in [(hello, "are not those"), (cut, "9 bytes"), (lost, "is missing")] {
        let line =
            ran.out.lines().find(|line| line.contains(digest.as_str())).unwrap_or_else(|| panic!("{ran:?}"));
        assert!(line.contains(what) && line.contains("named by revision "), "{line}");
    }
    assert!(ran.err.contains("3 things") && ran.err.contains("backup"), "{ran:?}");
}

#[test]
fn a_check_where_nothing_is_makes_nothing() {
    let registry = Registry::not_started();
    for command in [&["journal", "check"][..], &["gc"]] {
        let ran = registry.command(command);
        assert!(ran.code == 1 && ran.err.contains("there is no registry"), "{ran:?}");
    }
    assert!(!registry.data().exists());
}

#[test]
fn what_nothing_names_is_removed_and_nothing_else() {
    let (registry, ann) = with_skills();
    let count = || walk(&registry).len();
    assert_eq!(count(), 2);
    // A newer submission of the same version takes the first one's place.
    let newer = Skill::named("secret-plan").description("Another plan altogether.");
    registry.publish(newer).version("1.0.0").by(&ann).expect(201);
    assert_eq!(count(), 3);
    let ran = registry.command(["gc"]).ok();
    assert!(ran.out.contains("nothing to remove") && count() == 3, "a day has to go by: {ran:?}");
    let before = walk(&registry);
    let ran = registry.command(["gc", "--older-than", "0"]).ok();
    let gone: Vec<_> = before.iter().filter(|digest| !walk(&registry).contains(digest)).collect();
    assert_eq!(gone.len(), 1, "{ran:?}");
    assert!(ran.out.contains(&format!("removed {} (", gone[0])), "{ran:?}");
    assert!(ran.out.contains("removed 1 package that no version names"), "{ran:?}");
    registry.command(["gc", "--older-than", "0"]).ok();
    assert_eq!(count(), 2);
    registry.command(["journal", "check"]).ok();
    registry.command(["verify"]).ok();
    registry.get("/api/v1/skills/global/hello/download").expect(200);
}

/// The names of all blobs.
fn walk(registry: &Registry) -> Vec<String> {
    let files = super::harness::tree::files(&registry.data().join("blobs"));
    files.iter().filter_map(|path| path.split('/').next_back().map(ToOwned::to_owned)).collect()
}
