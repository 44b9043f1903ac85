//! Maintenance: `check`, `gc`, `backup` and `restore`.

use std::path::PathBuf;

use crate::harness::{Registry, Skill, User, sha256};

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
fn check_reads_everything_while_the_server_runs() {
    let (registry, _) = with_skills();
    let output = registry.command(["journal", "check"]).ok();
    assert!(
        output.stdout.contains("is intact: revisions 1 to ") && output.stdout.contains("(2, "),
        "{output:?}"
    );
    assert_eq!(output.stdout.lines().count(), 1, "{output:?}");
}

#[test]
fn check_names_lost_and_damaged_packages() {
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
    let output = registry.command(["journal", "check"]);
    assert_eq!((output.code, output.stdout.lines().count()), (1, 3), "{output:?}");
    for (digest, what) in [(hello, "its content has changed"), (cut, "9 bytes"), (lost, "is missing")] {
        let line = output
            .stdout
            .lines()
            .find(|line| line.contains(digest.as_str()))
            .unwrap_or_else(|| panic!("{output:?}"));
        assert!(line.contains(what) && line.contains("named by revision "), "{line}");
    }
    assert!(output.stderr.contains("3 things are damaged") && output.stderr.contains("backup"), "{output:?}");
}

#[test]
fn check_without_registry_creates_nothing() {
    let registry = Registry::not_started();
    for command in [&["journal", "check"][..], &["gc"]] {
        let output = registry.command(command);
        assert!(output.code == 1 && output.stderr.contains("no registry in"), "{output:?}");
    }
    assert!(!registry.data().exists());
}

#[test]
fn gc_removes_only_unreferenced_packages() {
    let (registry, ann) = with_skills();
    let count = || walk(&registry).len();
    assert_eq!(count(), 2);
    // A newer submission of the same version replaces the first.
    let newer = Skill::named("secret-plan").description("Another plan altogether.");
    registry.publish(newer).version("1.0.0").by(&ann).expect(201);
    assert_eq!(count(), 3);
    let output = registry.command(["gc"]).ok();
    assert!(output.stdout.contains("nothing to remove") && count() == 3, "a day has to go by: {output:?}");
    let before = walk(&registry);
    let output = registry.command(["gc", "--older-than", "0"]).ok();
    let gone: Vec<_> = before.iter().filter(|digest| !walk(&registry).contains(digest)).collect();
    assert_eq!(gone.len(), 1, "{output:?}");
    assert!(output.stdout.contains(&format!("removed {} (", gone[0])), "{output:?}");
    assert!(output.stdout.contains("removed 1 unused package"), "{output:?}");
    registry.command(["gc", "--older-than", "0"]).ok();
    assert_eq!(count(), 2);
    registry.command(["journal", "check"]).ok();
    registry.command(["verify"]).ok();
    registry.get("/api/v1/skills/global/hello/download").expect(200);
}

/// The names of all blobs.
fn walk(registry: &Registry) -> Vec<String> {
    let files = crate::harness::tree::files(&registry.data().join("blobs"));
    files.iter().filter_map(|path| path.split('/').next_back().map(ToOwned::to_owned)).collect()
}

/// The name of the history that the tree shows.
fn epoch(registry: &Registry) -> String {
    registry.tree_json("api/v1/mirror/head.json")["epoch"].as_str().unwrap().to_owned()
}

#[test]
fn backup_of_a_running_server_is_restored_elsewhere() {
    let (registry, ann) = with_skills();
    let admin = registry.admin();
    let file = registry.folder().join("backup.zip");
    let backup =
        |registry: &Registry| registry.command(["journal".as_ref(), "backup".as_ref(), file.as_os_str()]);
    // Publishes happen at the same time.
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for n in 0..20 {
                let slug = format!("during-{n}");
                registry.publish(Skill::named(&slug)).by(&admin).expect(201);
            }
        });
        let output = backup(&registry).ok();
        assert!(
            output.stdout.contains("has revisions 1 to ") && output.stdout.contains("passwords"),
            "{output:?}"
        );
        writing.join().unwrap();
    });
    let again = backup(&registry);
    assert!(again.code == 1 && again.stderr.contains("already exists"), "{again:?}");
    let published = registry.command(["journal", "backup", "public/backup.zip"]);
    assert!(published.code == 1 && published.stderr.contains("everyone"), "{published:?}");

    let mut other = Registry::not_started();
    let output = other.command(["journal".as_ref(), "restore".as_ref(), file.as_os_str()]).ok();
    assert!(!output.stdout.contains("previous data is in"), "nothing was there: {output:?}");
    other.command(["journal", "check"]).ok();
    other.restart();
    other.command(["verify"]).ok();
    assert_ne!(epoch(&other), epoch(&registry));
    let hello = "/api/v1/skills/global/hello/download";
    assert_eq!(other.get(hello).expect(200).body, registry.get(hello).expect(200).body);
    // Tokens are in it, and what waits does.
    other.as_user(&admin).get("/api/v1/whoami").expect(200);
    let waits = other.publish(Skill::named("secret-plan")).version("1.0.0").by(&ann).expect_json(200);
    assert_eq!(waits["status"], "pending_review");
}

#[test]
fn restore_replaces_a_registry_that_is_not_open() {
    let (mut registry, _) = with_skills();
    let admin = registry.admin();
    registry.command(["journal", "backup", "backup.zip"]).ok();
    let before = epoch(&registry);
    registry.publish(Skill::named("later")).by(&admin).expect(201);

    let refused = registry.command(["journal", "restore", "backup.zip"]);
    assert!(refused.code == 1 && refused.stderr.contains("open: stop it first"), "{refused:?}");
    registry.get("/api/v1/skills/global/later").expect(200);
    // Killed: its log is still there.
    registry.kill();
    let output = registry.command(["journal", "restore", "backup.zip"]).ok();
    let line = output
        .stdout
        .lines()
        .find(|line| line.contains("previous data is in"))
        .unwrap_or_else(|| panic!("{output:?}"));
    let aside = line.split_whitespace().nth(5).unwrap().trim_end_matches(':').to_owned();
    registry.restart();
    registry.get("/api/v1/skills/global/later").expect(404);
    registry.get("/api/v1/skills/global/hello/download").expect(200);
    registry.command(["verify"]).ok();
    assert_ne!(epoch(&registry), before);
    registry.publish(Skill::named("after")).by(&admin).expect(201);

    // The previous content is kept as a data folder.
    let arguments = ["journal", "check", "--data", &aside].map(std::ffi::OsString::from);
    crate::harness::run(registry.folder(), &arguments).ok();
}

#[test]
fn damaged_backup_replaces_nothing() {
    let (mut registry, _) = with_skills();
    registry.command(["journal", "backup", "backup.zip"]).ok();
    registry.stop();
    let whole = std::fs::read(registry.folder().join("backup.zip")).unwrap();
    let journal = || std::fs::read(registry.data().join("journal.sqlite")).unwrap();
    let before = journal();
    for bytes in [whole[..whole.len() / 2].to_vec(), Vec::new(), b"no backup".to_vec()] {
        registry.write("bad.zip", &bytes);
        let output = registry.command(["journal", "restore", "bad.zip"]);
        assert!(output.code == 1 && output.stderr.contains("bad.zip"), "{output:?}");
    }
    // A whole zip in which a package is missing.
    let mut kept = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(whole)).unwrap();
    for index in 0..archive.len() - 1 {
        kept.raw_copy_file(archive.by_index_raw(index).unwrap()).unwrap();
    }
    registry.write("bad.zip", &kept.finish().unwrap().into_inner());
    let output = registry.command(["journal", "restore", "bad.zip"]);
    assert!(output.code == 1 && output.stdout.contains("it is missing"), "{output:?}");
    assert!(output.stderr.contains("nothing was replaced"), "{output:?}");
    assert!(journal() == before && !registry.data().join("restoring").exists());
    registry.command(["journal", "check"]).ok();
}
