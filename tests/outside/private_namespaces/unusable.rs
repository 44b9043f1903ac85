//! Private namespaces that cannot be opened, or have lost their history.

use serde_json::json;

use super::{MARKER, NOTHING, inside, marked, publish, registry_of_ann, skill};
use crate::harness::{Client, Registry, eventually};

/// What the server logs.
fn errors(registry: &Registry) -> String {
    std::fs::read_to_string(registry.folder().join("serve.log")).unwrap()
}

/// The metric of namespaces that could not be opened, which has no name.
fn unopened(registry: &Registry) -> f64 {
    let printed = registry.printed();
    let address = printed.lines().rev().find_map(|line| line.strip_prefix("metrics are at ")).unwrap();
    let text = Client::of(address.trim_end_matches("/metrics")).get("/metrics").expect(200).text().to_owned();
    assert!(!text.contains(MARKER), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("skillmirror_private_namespaces_unopened "));
    line.unwrap_or_else(|| panic!("no metric: {text}")).parse().unwrap()
}

#[test]
fn damaged_private_namespace_stops_nothing_else() {
    let (mut registry, ann) = registry_of_ann();
    let eve = registry.user("eve");
    registry.stop();
    let journal = registry.data().join(format!("private/{MARKER}/journal.sqlite"));
    let good = std::fs::read(&journal).unwrap();
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(journal.with_extension(format!("sqlite{end}")));
    }
    std::fs::write(&journal, "no journal".repeat(1000)).unwrap();
    registry.restart();
    assert_eq!(registry.get("/readyz").status, 200);
    assert!(errors(&registry).contains(MARKER));
    assert_eq!(unopened(&registry), 1.0);
    // It looks like a name that none has.
    for user in [&ann, &eve] {
        for name in [MARKER, NOTHING] {
            inside(&registry, name).as_user(user).get("/api/v1/skills").expect(404);
        }
    }
    let body = json!({"slug": MARKER, "private": true, "owner": "eve"});
    registry.as_user(&registry.admin()).post_json("/api/v1/namespaces", &body).problem(409, "conflict");
    registry.stop();
    std::fs::write(&journal, good).unwrap();
    registry.restart();
    marked(&registry, &ann).get("/api/v1/skills").expect(200);
    assert_eq!(unopened(&registry), 0.0);
}

#[test]
fn lost_history_is_no_empty_namespace() {
    let (mut registry, ann) = registry_of_ann();
    publish(&registry, &ann, "kept", "1.0.0").expect(201);
    registry.command(["journal", "backup", "main.zip"]).ok();
    registry.stop();
    let folder = registry.data().join("private").join(MARKER);
    std::fs::remove_dir_all(&folder).unwrap();
    registry.restart();
    marked(&registry, &ann).get("/api/v1/skills").expect(404);
    assert!(errors(&registry).contains("journal restore FILE --private"));
    // The backup of another registry is refused.
    let file = format!("main.zip.{MARKER}.private");
    let wrong = registry.command(["journal", "restore", "main.zip", "--private", MARKER]);
    assert!(wrong.code != 0 && wrong.stderr.contains("leave out --private"), "{wrong:?}");
    registry.stop();
    let wrong = registry.command(["journal", "restore", &file]);
    assert!(wrong.code != 0 && wrong.stderr.contains(&format!("use --private {MARKER}")), "{wrong:?}");
    registry.command(["journal", "restore", &file, "--private", MARKER]).ok();
    registry.restart();
    marked(&registry, &ann).get(&skill().replace(&format!("{MARKER}-skill"), "kept")).expect(200);
}

#[test]
fn disabled_accounts_are_no_owners_and_no_new_members() {
    let (registry, ann) = registry_of_ann();
    let [bob, eve] = ["bob", "eve"].map(|name| registry.user(name));
    let namespace = format!("/api/v1/namespaces/{MARKER}");
    let invited = json!({"userId": "bob"});
    marked(&registry, &ann).post_json(&format!("{namespace}/invitations"), &invited).expect(201);
    marked(&registry, &bob).post_json(&format!("{namespace}/invitations/bob/accept"), &json!({})).expect(200);
    let add = json!({"userId": "eve", "role": "member"});
    marked(&registry, &bob).post_json(&format!("{namespace}/members"), &add).expect(201);
    marked(&registry, &bob).delete(&format!("{namespace}/members/eve")).expect(204);
    for name in ["ann", "eve"] {
        registry.command(["user", "disable", name]).ok();
    }
    eventually("the server knows", || {
        (registry.as_user(&eve).get("/api/v1/whoami").status != 200).then_some(())
    });
    marked(&registry, &bob).post_json(&format!("{namespace}/members"), &add).expect(404);
    marked(&registry, &bob).delete(&format!("{namespace}/members/bob")).problem(409, "conflict");
    registry.command(["user", "enable", "ann"]).ok();
    eventually("she may leave", || {
        (marked(&registry, &ann).delete(&format!("{namespace}/members/ann")).status == 204).then_some(())
    });
}
