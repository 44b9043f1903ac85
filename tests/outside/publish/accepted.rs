//! Accepted publishes.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill, assert_fields, sha256, tree};

static RUNNING: Shared<Registry> = Shared::new();

const RECEIPT: &str = "slug version status namespace canonicalSlug skillId versionId sha256 fileCount \
                       unpackedSize packageSize reviewId warnings";

#[test]
fn receipt_describes_the_stored_version() {
    let registry = RUNNING.get(Registry::start);
    let skill = Skill::named("receipt").executable("scripts/run.sh", "#!/bin/sh\necho hello\n");
    let response = registry.publish(skill.clone()).by(&registry.admin());
    assert!(response.require_header("x-revision").parse::<u64>().unwrap() > 0);
    assert_eq!(response.header("x-mirror-lag"), None, "the reply waited for the tree");
    let receipt = response.expect_json(201);
    assert_fields(&receipt, RECEIPT);
    assert_eq!(
        (&receipt["slug"], &receipt["namespace"], &receipt["canonicalSlug"]),
        (&json!("receipt"), &json!("global"), &json!("receipt"))
    );
    assert_eq!((&receipt["version"], &receipt["status"]), (&json!("1.0.0"), &json!("published")));
    assert_eq!((&receipt["reviewId"], &receipt["warnings"]), (&Value::Null, &json!([])));
    let unpacked: usize = skill.entries().iter().map(|(_, bytes, _)| bytes.len()).sum();
    assert_eq!((&receipt["fileCount"], &receipt["unpackedSize"]), (&json!(2), &json!(unpacked)));
    for id in ["skillId", "versionId"] {
        receipt[id].as_str().unwrap().parse::<u64>().expect("an id is a decimal revision");
    }
    let zip = registry.get("/api/v1/skills/global/receipt/versions/1.0.0/download").expect(200).body;
    assert_eq!(receipt["sha256"], sha256(&zip));
    assert_eq!(receipt["packageSize"], zip.len());
}

#[test]
fn same_content_again_is_200_with_the_same_body() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let first = registry.publish(Skill::named("again")).version("1.0.0").by(&admin).expect_json(201);
    let second = registry.publish(Skill::named("again")).version("1.0.0").by(&admin).expect_json(200);
    assert_eq!(first, second);
    let inside = registry.publish(Skill::named("again").inside("folder")).version("1.0.0").by(&admin);
    assert_eq!(inside.expect_json(200)["sha256"], first["sha256"], "content counts, not the zip's bytes");
    assert_eq!(registry.tree_json("api/v1/skills/global/again/versions.json")["total"], 1);
}

#[test]
fn other_content_for_a_version_is_409() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    registry.publish(Skill::named("fixed")).version("1.0.0").by(&admin).expect(201);
    let other = Skill::named("fixed").text("Something else.\n");
    let problem = registry.publish(other).version("1.0.0").by(&admin).problem(409, "conflict");
    assert!(problem["detail"].as_str().unwrap().contains("1.0.0"), "{problem}");
    let executable = Skill::named("fixed").executable("a.sh", "x");
    registry.publish(executable).version("2.0.0").by(&admin).expect(201);
    let plain = Skill::named("fixed").file("a.sh", "x");
    registry.publish(plain).version("2.0.0").by(&admin).problem(409, "conflict");
}

#[test]
fn dry_run_stores_nothing() {
    let registry = Registry::start();
    let admin = registry.admin();
    let (tree, data) = (registry.tree_bytes(), blobs(&registry));
    let receipt = registry.publish(Skill::named("dry")).dry_run().by(&admin).expect_json(200);
    assert_fields(&receipt, RECEIPT);
    assert_eq!((&receipt["version"], &receipt["fileCount"]), (&json!("1.0.0"), &json!(1)));
    assert_eq!(registry.tree_bytes(), tree);
    assert_eq!(blobs(&registry), data, "no blob is left behind");
    registry.get("/api/v1/skills/global/dry").problem(404, "not_found");
    registry.publish(Skill::of_text(b"none")).dry_run().by(&admin).refused_package();
    assert_eq!(
        registry.publish(Skill::named("dry")).by(&admin).expect_json(201)["sha256"],
        receipt["sha256"]
    );
}

/// The read-only files of the data folder: blobs have the mode 0444.
fn blobs(registry: &Registry) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let mut files = tree::files(&registry.data());
    let mode = |path: &String| std::fs::metadata(registry.data().join(path)).unwrap().permissions().mode();
    files.retain(|path| mode(path) & 0o777 == 0o444);
    files
}

#[test]
fn slug_field_overrides_the_name_with_a_warning() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let receipt = registry.publish(Skill::named("inner-name")).slug("outer-name").by(&admin).expect_json(201);
    assert_eq!(receipt["slug"], "outer-name");
    let warnings = receipt["warnings"].as_array().unwrap();
    assert!(!warnings.is_empty(), "{receipt}");
    for warning in warnings {
        assert_fields(warning, "code path line message");
    }
    assert!(receipt["warnings"].to_string().contains("inner-name"), "{receipt}");
    registry.get("/api/v1/skills/global/outer-name").expect(200);
    registry.get("/api/v1/skills/global/inner-name").problem(404, "not_found");
    let equal = registry.publish(Skill::named("equal-name")).slug("equal-name").by(&admin).expect_json(201);
    assert_eq!(equal["warnings"], json!([]));
}

#[test]
fn nameless_skill_is_named_by_its_folder_or_file() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let folder = registry.publish(Skill::nameless().inside("by-folder")).by(&admin).expect_json(201);
    assert_eq!(folder["slug"], "by-folder");
    assert!(!folder["warnings"].as_array().unwrap().is_empty(), "{folder}");
    let file = registry.publish(Skill::nameless().text("Another.\n")).file_name("by-file.zip").by(&admin);
    assert_eq!(file.expect_json(201)["slug"], "by-file");
    let nothing = registry.publish(Skill::nameless().text("A third.\n")).file_name("....zip").by(&admin);
    assert_eq!(nothing.refused_package()[0]["code"], "name_missing");
}

#[test]
fn namespace_is_taken_from_the_field_or_the_name() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-places");
    registry.team("places", &ann);
    let by_field = registry.publish(Skill::named("one")).to("places").by(&ann).expect_json(201);
    assert_eq!(
        (&by_field["slug"], &by_field["namespace"], &by_field["canonicalSlug"]),
        (&json!("one"), &json!("places"), &json!("places--one"))
    );
    let by_name = registry.publish(Skill::named("places--two")).by(&ann).expect_json(201);
    assert_eq!(
        (&by_name["slug"], &by_name["namespace"], &by_name["canonicalSlug"]),
        (&json!("places--two"), &json!("places"), &json!("places--two"))
    );
    let by_both = registry.publish(Skill::named("places--three")).to("places").by(&ann).expect_json(201);
    assert_eq!(by_both["slug"], "three");
    let against = registry.publish(Skill::named("places--four")).to("global").by(&ann);
    assert_eq!(against.refused_package()[0]["code"], "namespace_mismatch");
    for namespace in ["global", "places"] {
        registry.get(&format!("/api/v1/skills/{namespace}/four")).problem(404, "not_found");
    }
    let skill = registry.read("/api/v1/skills/places/two");
    assert_eq!((&skill["slug"], &skill["canonicalSlug"]), (&json!("two"), &json!("places--two")));
}

#[test]
fn only_members_publish_in_a_team() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-door"), registry.user("bob-door"));
    registry.team("door", &ann);
    registry.publish(Skill::named("hello")).to("door").by(&bob).problem(403, "forbidden");
    registry.publish(Skill::named("hello")).to("no-such-team").by(&bob).problem(404, "not_found");
    registry.join("door", &ann, &bob, "member");
    registry.publish(Skill::named("hello")).to("door").by(&ann).expect(201);
    let next = Skill::named("hello").text("Better.\n");
    assert_eq!(registry.publish(next).to("door").by(&bob).expect_json(201)["version"], "1.0.1");
    let skill = registry.read("/api/v1/skills/door/hello");
    assert_eq!(skill["author"]["handle"], "ann-door", "the author stays who published first");
    assert_eq!(skill["latest"]["publishedBy"]["handle"], "bob-door");
}

#[test]
fn junk_files_are_left_out() {
    let registry = RUNNING.get(Registry::start);
    let skill = Skill::named("junk")
        .file("__MACOSX/._SKILL.md", "x")
        .file(".DS_Store", "x")
        .file("a/Thumbs.db", "x")
        .file("a/._b", "x")
        .file(".git/config", "x")
        .file("node_modules/left-pad/index.js", "x")
        .file(".gitignore", "kept")
        .file("a/b.weird", "kept");
    let receipt = registry.publish(skill).by(&registry.admin()).expect_json(201);
    assert_eq!(receipt["fileCount"], 3);
    assert!(!receipt["warnings"].as_array().unwrap().is_empty(), "what is dropped is said: {receipt}");
    let files = registry.read("/api/v1/skills/global/junk/versions/1.0.0/files");
    let paths: Vec<&str> =
        files["items"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [".gitignore", "SKILL.md", "a/b.weird"]);
}
