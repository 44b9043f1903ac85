//! What a user trusts, and what the log of a registry may not do any more then.

use std::fs;

use serde_json::{Value, json};

use super::history::{key, signing, trust};
use crate::harness::{Project, Registry, Skill, TamperedTree, folder_address};

#[test]
fn history_that_goes_back_or_forks_is_refused_with_evidence() {
    let registry = signing(None);
    let (key, before) = (key(&registry), TamperedTree::of(&registry));
    registry.publish(Skill::named("third")).by(&registry.admin()).expect(201);
    let fork = signing(Some(&registry.folder().join("keys")));
    fork.publish(Skill::named("fourth")).by(&fork.admin()).expect(201);
    for (address, said) in [
        (before.address(), "has signed 4 rows of its history now, but 5 before"),
        (fork.base().to_owned(), "another history than before"),
    ] {
        let project = Project::new();
        for address in [registry.base(), &address] {
            trust_without_asking(&project, address, &key);
        }
        project.run_with(registry.base(), "install hello@1.0.0").ok();
        let output = project.run_with(&address, "install other");
        assert!(output.code == 1 && output.stderr.contains(said), "{output:?}");
        assert!(!project.path("skills/other").exists());
        let evidence = project.path("home/.config/skillmirror/evidence");
        assert_eq!(fs::read_dir(evidence).unwrap().count(), 2);
    }
}

#[test]
fn restored_backup_is_followed_if_the_registry_has_signed_that() {
    let mut registry = signing(None);
    let (key, project) = (key(&registry), Project::new());
    registry.command(["journal", "backup", "backup.zip"]).ok();
    let admin = registry.admin();
    registry.publish(Skill::named("lost")).by(&admin).expect(201);
    let base = folder_address(&registry.public());
    trust(&project, &base, &key);
    project.run_with(&base, "install lost").ok();
    registry.stop();
    registry.command(["journal", "restore", "backup.zip"]).ok();
    registry.restart();
    let earlier = TamperedTree::of(&registry);
    for more in ["one", "two"] {
        registry.publish(Skill::named(more)).by(&registry.admin()).expect(201);
    }
    project.run_with(&base, "install hello").ok();
    // Nobody can say the same a second time.
    trust_without_asking(&project, &earlier.address(), &key);
    let refuse_earlier = || {
        let output = project.run_with(&earlier.address(), "install other");
        assert!(output.code == 1 && output.stderr.contains("takes rows back"), "{output:?}");
    };
    refuse_earlier();
    // Nor after another restore.
    registry.stop();
    registry.command(["journal", "restore", "backup.zip"]).ok();
    registry.restart();
    registry.publish(Skill::named("three")).by(&registry.admin()).expect(201);
    project.run_with(&base, "install three").ok();
    refuse_earlier();
}

#[test]
fn witnesses_of_a_policy_must_have_cosigned() {
    let registry = signing(None);
    let (key, project, base) = (key(&registry), Project::new(), registry.base());
    let witness = "witness.example+e6557821+BBOY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK";
    let policy = |quorum: &str| format!("log {key}\nwitness w {witness}\nquorum {quorum}\n");
    fs::write(project.path("policy"), policy("w")).unwrap();
    let refused = project.run(&format!("trust add {base} --policy policy"));
    assert!(refused.code == 1 && refused.stderr.contains("lacks cosignatures"), "{refused:?}");
    fs::write(project.path("policy"), policy("none")).unwrap();
    project.run(&format!("trust add {base} --policy policy")).ok();
    project.run_with(base, "install hello").ok();
    fs::write(project.path("policy"), "quorum of\n").unwrap();
    let refused = project.run(&format!("trust add {base} --policy policy"));
    assert!(refused.code == 1 && refused.stderr.contains("line 1"), "{refused:?}");
}

/// Trusts a key before anything of the registry was seen.
fn trust_without_asking(project: &Project, address: &str, key: &str) {
    let path = project.path("home/.config/skillmirror/trust.json");
    let mut known: Value = match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).unwrap(),
        Err(_) => {
            trust(project, address, key);
            serde_json::from_slice(&fs::read(&path).unwrap()).unwrap()
        }
    };
    known["registries"][address] = json!({"keys": [key]});
    fs::write(&path, known.to_string()).unwrap();
}

#[test]
fn version_can_be_installed_as_soon_as_it_is_published() {
    let registry = signing(None);
    let (key, project) = (key(&registry), Project::new());
    trust(&project, registry.base(), &key);
    for number in 0..3 {
        let skill = Skill::named(&format!("new-{number}"));
        registry.publish(skill).by(&registry.admin()).expect(201);
        project.run_with(registry.base(), &format!("install new-{number}")).ok();
    }
    for (path, said) in
        [("nowhere", "no such file or folder"), ("home", "nothing that skillmirror has installed")]
    {
        let refused = project.run(&format!("verify {path}"));
        assert!(refused.code == 1 && refused.stderr.contains(said), "{refused:?}");
    }
}

#[test]
fn trust_is_given_listed_and_taken() {
    let registry = signing(None);
    let (key, project) = (key(&registry), Project::new());
    let base = registry.base();
    let unasked = project.run(&format!("trust add {base}"));
    assert!(unasked.code == 1 && unasked.stderr.contains("--vkey"), "{unasked:?}");
    project.run(&format!("trust add {base} --yes")).ok();
    let listed = project.run("trust list").ok();
    assert!(listed.stdout.contains(base) && listed.stdout.contains(&key[..27]), "{listed:?}");
    let stranger = "skills.example.org+a629d354+AROY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK";
    let refused = project.run(&format!("trust add {base} --vkey {stranger}"));
    assert!(refused.code == 1 && refused.stderr.contains("not signed with a key"), "{refused:?}");
    project.run(&format!("trust remove {base}")).ok();
    assert!(project.run("trust list").ok().stdout.contains("no registry is trusted"));
    assert_eq!(project.run(&format!("trust remove {base}")).code, 1);
    let token = &registry.admin().token;
    let output = project.run(&format!("login --registry {base} --token {token}")).ok();
    assert!(!output.stdout.contains("trusted"), "{output:?}");
    let output = project.run(&format!("login --registry {base} --token {token} --yes")).ok();
    assert!(output.stdout.contains("is trusted from now on"), "{output:?}");
    assert!(project.run("trust list").ok().stdout.contains(base));
    let unsigned = Registry::start();
    let refused = project.run(&format!("trust add {} --yes", unsigned.base()));
    assert!(refused.stderr.contains("does not sign its history"), "{refused:?}");
}
