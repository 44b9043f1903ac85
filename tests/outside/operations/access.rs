//! Files and folders that the user of a command may not use.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::harness::Project;

fn refuse(path: &Path) {
    set_permissions(path, Permissions::from_mode(0o000)).unwrap();
}

#[test]
fn folder_that_serve_may_not_use_is_named_with_a_remedy() {
    for (refused, elsewhere) in [
        ("keys", "the setting `signing.keys` names another folder"),
        ("data", "--data names another folder"),
        ("data/local.sqlite", "--data names another folder"),
        ("public", "--public names another folder"),
        ("public.state", "--public names another folder"),
        ("config.toml", "--config names another file"),
    ] {
        let project = Project::without_privileges();
        for folder in ["keys", "data", "public", "public.state"] {
            std::fs::create_dir(project.path(folder)).unwrap();
        }
        for file in ["config.toml", "data/local.sqlite", "public.state/lock"] {
            std::fs::write(project.path(file), "").unwrap();
        }
        // A mount point has a folder that is not ours, and people put files there.
        std::fs::create_dir(project.path("data/lost+found")).unwrap();
        std::fs::write(project.path("data/README"), "").unwrap();
        for foreign in ["data/lost+found", "data/README"] {
            refuse(&project.path(foreign));
        }
        refuse(&project.path(refused));
        let said = project.run("serve --listen 0");
        assert_eq!(said.code, 1, "{refused}: {said:?}");
        let named = format!("permission denied for {refused} as ");
        assert!(
            said.stderr.contains(&named) && said.stderr.contains("`chmod -R u+rwX`"),
            "{refused}: {said:?}"
        );
        assert!(said.stderr.contains(elsewhere) && !said.stderr.contains("os error"), "{refused}: {said:?}");
    }
}

#[test]
fn keys_are_not_made_where_others_can_replace_them() {
    let project = Project::new();
    std::fs::create_dir(project.path("keys")).unwrap();
    set_permissions(project.path("keys"), Permissions::from_mode(0o775)).unwrap();
    let said = project.run("key new --name skills.example.org");
    assert!(said.code == 1 && said.stderr.contains("run `chmod 700 keys`"), "{said:?}");
    assert_eq!(std::fs::read_dir(project.path("keys")).unwrap().count(), 0);
    set_permissions(project.path("keys"), Permissions::from_mode(0o700)).unwrap();
    let key = project.run("key new --name skills.example.org").ok().stdout;
    let listed = project.run("key list --json").ok().stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["items"][0]["key"], key.trim(), "{listed}");
    assert_eq!(listed["items"][0]["state"], "signs", "{listed}");
    assert!(!listed.to_string().contains("PRIVATE"), "{listed}");
}
