//! The content of packages: secrets are refused, and other content is returned unchanged.

use serde_json::json;

use crate::harness::{Registry, Shared, Skill, assert_fields, sha256, tree::unpacked};

static RUNNING: Shared<Registry> = Shared::new();

/// A private key's first line, assembled so that no scanner finds it here.
fn key_header(kind: &str) -> String {
    format!("-----BEGIN {kind}PRIVATE{}KEY-----", ' ')
}

/// A private key: the header and the beginning of a body.
fn key(kind: &str) -> String {
    let body = token(&["MIIE", "pAIBAAKCAQEA"], 48);
    format!("{}\n{body}\n", key_header(kind))
}

/// A token of a known form: a prefix and a random-looking rest.
fn token(prefix: &[&str], length: usize) -> String {
    let alphabet = b"aB3dE5fG7hJ9kLmN2pQrS4tUvW6xYz8C";
    let rest: String = (0..length).map(|n| char::from(alphabet[(n * 7 + n / 5) % alphabet.len()])).collect();
    prefix.concat() + &rest
}

#[test]
fn private_key_is_refused_with_path_and_line() {
    let registry = RUNNING.get(Registry::start);
    for kind in ["RSA ", "OPENSSH ", "EC ", ""] {
        let text = format!("# keys\n\n{}", key(kind));
        let skill = Skill::named("leaky").file("keys/id", text);
        let errors = registry.publish(skill).dry_run().by(&registry.admin()).refused_package();
        assert_eq!(errors[0]["code"], "secret_found", "{errors:?}");
        assert_eq!((&errors[0]["path"], &errors[0]["line"]), (&json!("keys/id"), &json!(3)), "{errors:?}");
    }
}

#[test]
fn credential_is_refused_and_never_echoed() {
    let registry = RUNNING.get(Registry::start);
    let secret = token(&["gh", "p_"], 36);
    let skill = Skill::named("leaky").file("run.sh", format!("#!/bin/sh\nexport TOKEN={secret}\n"));
    let response = registry.publish(skill).dry_run().by(&registry.admin());
    let errors = response.refused_package();
    assert_eq!(errors[0]["code"], "secret_found", "{errors:?}");
    assert_eq!((&errors[0]["path"], &errors[0]["line"]), (&json!("run.sh"), &json!(2)));
    assert!(!response.text().contains(&secret), "a refusal does not spread the secret");
}

#[test]
fn secret_in_each_file_is_named_in_each() {
    let registry = RUNNING.get(Registry::start);
    let key = key("RSA ");
    let skill = Skill::named("leaky").file("a.pem", &key).file("b/c.pem", &key).text(&key);
    let mut named = registry.publish(skill).dry_run().by(&registry.admin()).refused_paths();
    named.dedup();
    assert_eq!(named, ["SKILL.md", "a.pem", "b/c.pem"]);
}

#[test]
fn secret_files_are_refused_unless_their_paths_are_allowed() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let skill = Skill::named("configured")
        .file(".env", "COLOUR=red\n")
        .file(".env.example", "COLOUR=\n")
        .file("a/.aws/config", "[default]\n")
        .file("credentials.md", "How to get some.\n");
    let refused = |skill: &Skill, allowed: &[&str]| {
        let publish = registry.publish(skill.clone()).dry_run();
        let publish = allowed.iter().fold(publish, |publish, path| publish.field("allowFile", path));
        let errors = publish.by(&admin).refused_package();
        assert!(errors.iter().all(|error| error["code"] == "secret_file"), "{errors:?}");
        errors.iter().map(|error| error["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(refused(&skill, &[]), [".env", "a/.aws/config"]);
    assert_eq!(refused(&skill.clone().inside("top"), &[".env", "none"]), ["a/.aws/config"]);
    let allowed = registry.publish(skill).field("allowFile", ".env").field("allowFile", "a/.aws/config");
    let receipt = allowed.by(&admin).expect_json(201);
    let warned: Vec<_> = receipt["warnings"].as_array().unwrap().iter().map(|w| &w["code"]).collect();
    assert_eq!(warned, ["secret_file", "secret_file"]);
    assert!(!registry.get("/api/v1/skills/global/configured").expect(200).text().contains("secret_file"));
}

#[test]
fn allowed_file_does_not_allow_a_secret_in_it() {
    let registry = RUNNING.get(Registry::start);
    let text = format!("TOKEN={}\n", token(&["gh", "p_"], 36));
    let publish = registry.publish(Skill::named("leaky").file(".env", text)).field("allowFile", ".env");
    let errors = publish.by(&registry.admin()).refused_package();
    assert_eq!(errors[0]["code"], "secret_found", "{errors:?}");
}

#[test]
fn suspected_secret_warns_only_the_publisher() {
    let registry = RUNNING.get(Registry::start);
    let header = key_header("RSA ");
    let skill = Skill::named("probable").text(&format!("A key begins with {header} and ends likewise.\n"));
    let receipt = registry.publish(skill).by(&registry.admin()).expect_json(201);
    let is_about_secrets =
        |warning: &serde_json::Value| warning["code"].as_str().unwrap().starts_with("secret_");
    assert!(receipt["warnings"].as_array().unwrap().iter().any(is_about_secrets), "{receipt}");
    let public = registry.read("/api/v1/skills/global/probable/versions/1.0.0");
    assert!(!public["warnings"].as_array().unwrap().iter().any(is_about_secrets), "{public}");
    // A script of the pages names the codes of findings.
    for (path, bytes) in registry.tree_bytes().into_iter().filter(|(path, _)| !path.starts_with("assets/")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("secret_"), "{path}");
    }
}

#[test]
fn well_known_examples_are_not_secrets() {
    let registry = RUNNING.get(Registry::start);
    let aws = ["AKIA", "IOSFODNN7", "EXAMPLE"].concat();
    let text =
        format!("Set AWS_ACCESS_KEY_ID={aws}, or a token like ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.\n");
    registry.publish(Skill::named("example").text(&text)).dry_run().by(&registry.admin()).expect(200);
}

#[test]
fn every_file_is_read_back_with_its_mode() {
    let registry = RUNNING.get(Registry::start);
    let all_bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let skill = Skill::named("whole")
        .executable("scripts/run.sh", "#!/bin/sh\r\nexit 0\r\n")
        .file("data/all.bin", all_bytes)
        .file("empty", "")
        .file("käse/日本語 file.txt", "ü\n")
        .file(".hidden/x", "h");
    registry.publish(skill.clone().inside("top")).by(&registry.admin()).expect(201);
    let zip = registry.get("/api/v1/skills/global/whole/download").expect(200).body;
    let there = unpacked(&zip);
    let expected: Vec<String> = skill.contents().into_keys().collect();
    assert_eq!(there.keys().cloned().collect::<Vec<_>>(), expected);
    for (path, bytes, executable) in skill.entries() {
        let mode = if executable { 0o755 } else { 0o644 };
        assert_eq!(there[&path], (bytes, mode), "{path}");
    }
}

#[test]
fn file_list_describes_the_zip() {
    let registry = RUNNING.get(Registry::start);
    let skill = Skill::named("listed").executable("run.sh", "#!/bin/sh\n").file("a.json", "{}");
    registry.publish(skill.clone()).by(&registry.admin()).expect(201);
    let files = registry.read("/api/v1/skills/global/listed/versions/1.0.0/files");
    assert_fields(&files, "items total");
    let zip = unpacked(&registry.get("/api/v1/skills/global/listed/download").expect(200).body);
    let paths: Vec<&str> =
        files["items"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["SKILL.md", "a.json", "run.sh"], "sorted by path bytes");
    for file in files["items"].as_array().unwrap() {
        assert_fields(file, "path size sha256 contentType executable");
        let (bytes, mode) = &zip[file["path"].as_str().unwrap()];
        assert_eq!(file["size"], bytes.len());
        assert_eq!(file["sha256"], sha256(bytes));
        assert_eq!(file["executable"], *mode == 0o755);
    }
}

#[test]
fn content_digest_is_computed_as_documented() {
    let registry = RUNNING.get(Registry::start);
    let skill = Skill::named("digest").executable("run.sh", "#!/bin/sh\n").file("Z", "z").file("a", "a");
    registry.publish(skill.clone()).by(&registry.admin()).expect(201);
    let mut lines: Vec<(String, String)> = skill
        .entries()
        .into_iter()
        .map(|(path, bytes, executable)| {
            let mode = if executable { "0755" } else { "0644" };
            let digest = sha256(&bytes);
            (path.clone(), format!("{path}\0{mode}\0{digest}\n"))
        })
        .collect();
    lines.sort();
    let text: String = lines.into_iter().map(|(_, line)| line).collect();
    let version = registry.read("/api/v1/skills/global/digest/versions/1.0.0");
    assert_eq!(version["contentDigest"], sha256(text.as_bytes()));
}

#[test]
fn same_content_is_the_same_archive() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.admin();
    let one = Skill::without_entry()
        .file("b", "b")
        .file("SKILL.md", Skill::named("same").skill_md())
        .file("a", "a");
    let other = Skill::named("same").file("a", "a").file("b", "b").inside("folder");
    let one = registry.publish(one).slug("same-one").by(&admin).expect_json(201);
    let other = registry.publish(other).slug("same-other").by(&admin).expect_json(201);
    assert_eq!(one["sha256"], other["sha256"]);
}
