//! Names like one that is not found are proposed.

use serde_json::json;

use crate::harness::{Home, Project, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    registry.user("robert");
    let member = json!({"userId": "robert", "role": "member"});
    registry.as_user(&ann).post_json("/api/v1/namespaces/tools/members", &member).expect(201);
    for slug in ["pdf-forms", "docx", "hello"] {
        registry.publish(Skill::named(slug)).by(&registry.admin()).expect(201);
    }
    registry.publish(Skill::named("lint")).to("tools").by(&ann).expect(201);
    registry
}

#[test]
fn search_names_the_closest_words() {
    let registry = REGISTRY.get(registry);
    let folder = format!("file://{}", registry.public().display());
    for at in [registry.base(), &folder] {
        let found = Home::new().run(&["search", "docx zqzqzq helllo", "--registry", at]).ok().stdout;
        let unknown = "no skill has the word \"zqzqzq\"\n\
                       no skill has the word \"helllo\"; the closest is \"hello\"\n";
        assert!(found.ends_with(unknown), "{found}");
    }
}

#[test]
fn similar_skills_of_the_registry_are_proposed() {
    let registry = REGISTRY.get(registry);
    let folder = format!("file://{}", registry.public().display());
    for at in [registry.base(), &folder] {
        for (wanted, proposed) in [
            ("pdf-froms", "did you mean `pdf-forms`?"),
            ("pdf", "did you mean `pdf-forms`?"),
            ("helo", "did you mean `hello`?"),
            ("lint", "did you mean `@tools/lint`?"),
            ("@tolos/lint", "did you mean `@tools/lint`?"),
            ("kubernetes", "search for it with `skillmirror search kubernetes`"),
        ] {
            for command in ["install", "info", "resolve"] {
                let why = Home::new().refusal("not_found", &[command, wanted, "--registry", at]);
                assert!(why.contains(proposed), "{command} {wanted}: {why}");
            }
        }
    }
}

#[test]
fn commands_of_a_team_propose_skills_namespaces_and_members() {
    let registry = REGISTRY.get(registry);
    let home = Home::new();
    let ann =
        crate::harness::User { handle: "ann".into(), token: registry.issue("ann", &["--name", "of-this"]) };
    home.login(registry.base(), &registry.wait_until_known(ann));
    for (words, proposed) in [
        (&["star", "helo"][..], "Did you mean `hello`?"),
        (&["rate", "docs", "5"], "Did you mean `docx`?"),
        (&["yank", "@tools/lnit@1.0.0"], "Did you mean `@tools/lint`?"),
        (&["tag", "set", "@tools/lnit@1.0.0", "stable"], "Did you mean `@tools/lint`?"),
        (&["delete", "@tools/lnit", "-y"], "Did you mean `@tools/lint`?"),
        (&["namespace", "members", "tolos"], "Did you mean `tools`?"),
        (&["review", "list", "tolos"], "Did you mean `tools`?"),
        (&["member", "remove", "tools", "robrt", "-y"], "Did you mean `robert`?"),
    ] {
        let why = home.refusal("not_found", words);
        assert!(why.contains(proposed), "{words:?}: {why}");
    }
}

#[test]
fn similar_installed_skills_are_proposed() {
    let registry = REGISTRY.get(registry);
    let project = Project::new();
    project.run_with(registry.base(), "install hello pdf-forms").ok();
    for words in ["uninstall helo", "update helo", "outdated helo"] {
        let said = project.run(words);
        assert!(said.code == 1 && said.stderr.contains("did you mean `hello`?"), "{words}: {said:?}");
    }
    let said = project.run("uninstall nothing-like-it");
    assert!(said.stderr.contains("`skillmirror list` shows what is"), "{said:?}");
}

#[test]
fn second_skill_of_one_name_names_the_option() {
    let registry = Registry::start();
    registry.publish(Skill::named("lint")).by(&registry.admin()).expect(201);
    registry.team("tools", &registry.user("ann"));
    registry.publish(Skill::named("lint")).to("tools").by(&registry.admin()).expect(201);
    let project = Project::new();
    project.run_with(registry.base(), "install lint").ok();
    let said = project.run_with(registry.base(), "install @tools/lint");
    assert!(said.code == 1 && said.stderr.contains("`--as tools-lint`"), "{said:?}");
    project.run_with(registry.base(), "install @tools/lint --as tools-lint").ok();
    assert!(project.path("skills/tools-lint/SKILL.md").exists());
}

#[test]
fn similar_accounts_are_proposed_to_operators() {
    let registry = REGISTRY.get(registry);
    for words in [
        &["user", "disable", "robrt"][..],
        &["user", "enable", "robrt"],
        &["user", "set-password", "robrt"],
        &["token", "issue", "robrt", "--name", "x"],
        &["token", "list", "robrt"],
        &["import", "nothing", "--as", "robrt"],
    ] {
        let said = registry.command(words);
        assert!(said.code == 1 && said.stderr.contains("did you mean `robert`?"), "{words:?}: {said:?}");
    }
}
