//! Logins belong to one registry, are readable only by their owner, and are sent nowhere else.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::harness::{FakeHost, Home, Registry, Reply, Shared, Skill, User};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn login_is_verified_saved_used_and_removed() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann");
    let (home, base) = (Home::new(), registry.base());
    assert_eq!(home.refusal("no_registry", &["whoami"]).matches("CLI_REGISTRY").count(), 1);
    let why = home.refusal("no_login", &["whoami", "--registry", base]);
    assert!(why.contains(&format!("skillmirror login --registry {base}")), "{why}");

    let output = home
        .run_with_input(&["login", "--token-stdin", "--registry", base], &format!("{}\n", ann.token))
        .ok();
    assert!(
        output.stdout.contains(" as ann (now the default registry)") && output.stderr.is_empty(),
        "{output:?}"
    );
    assert!(!output.printed().contains(&ann.token), "{output:?}");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.credentials()), 0o600);
    assert_eq!(mode(home.credentials().parent().unwrap()), 0o700);

    // The first login is the default.
    let who = json!({"handle": "ann", "displayName": "ann", "role": "user", "registry": base});
    assert_eq!(home.json(&["whoami"]), who);
    assert_eq!(home.run(&["whoami"]).ok().stdout, format!("ann (ann), user, at {base}\n"));

    // Another form of the same address is the same registry.
    home.run(&["whoami", "--registry", &format!("{base}/api/v1/")]).ok();
    let output = home.run(&["logout"]).ok();
    assert!(
        output.stdout.starts_with("logged out of ") && output.stdout.contains("until it is revoked"),
        "{output:?}"
    );
    assert!(!std::fs::read_to_string(home.credentials()).unwrap().contains(&ann.token));
    home.refusal("no_registry", &["whoami"]);
    home.refusal("no_login", &["logout", "--registry", base]);
}

#[test]
fn invalid_token_is_not_saved() {
    let registry = RUNNING.get(Registry::start);
    let home = Home::new();
    let login = ["login", "--registry", registry.base(), "--token"];
    let why = home.refusal("unauthenticated", &[&login[..], &["smt_wrong"]].concat());
    assert!(why.contains("skillmirror login"), "{why}");
    home.refusal("invalid_token", &[&login[..], &["two words"]].concat());
    let why = home.refusal("no_token", &["login", "--registry", registry.base()]);
    assert!(why.contains("--token-stdin"), "{why}");
    assert!(!home.credentials().exists());
    assert_eq!(home.run(&["login", "--token", "a", "--token-stdin"]).code, 2);
}

#[test]
fn revoked_token_is_named() {
    let registry = RUNNING.get(Registry::start);
    let bob = registry.user("bob");
    let home = Home::new();
    home.login(registry.base(), &bob);
    let tokens = registry.as_user(&bob).get("/api/v1/tokens").expect_json(200);
    let id = tokens["items"][0]["id"].as_str().unwrap().to_owned();
    registry.as_user(&bob).delete(&format!("/api/v1/tokens/{id}")).expect(204);
    let why = home.refusal("unauthenticated", &["whoami"]);
    assert!(why.contains("Log in again"), "{why}");
    // Public reads need no login, and so do not fail with it.
    home.run(&["search", "anything"]).ok();
}

#[test]
fn each_registry_gets_only_its_own_token() {
    let who = |handle: &str| json!({"handle": handle, "displayName": handle, "role": "user"});
    let host = |handle: &'static str| {
        FakeHost::answering(move |asked| match asked.path.as_str() {
            "/sub/api/v1/whoami" | "/api/v1/whoami" => Reply::json(&who(handle)),
            _ => Reply::status(404),
        })
    };
    let (one, other) = (host("one"), host("other"));
    let home = Home::new();
    let user = |token: &str| User { handle: String::new(), token: token.to_owned() };
    home.login(&one.base, &user("token-one"));
    home.login(&format!("{}/sub", one.base), &user("token-sub"));
    home.login(&other.base, &user("token-other"));
    let tokens = |host: &FakeHost| -> Vec<String> {
        host.asked().iter().filter_map(|asked| asked.header("authorization").map(str::to_owned)).collect()
    };
    assert_eq!(tokens(&one), ["Bearer token-one", "Bearer token-sub"]);
    assert_eq!(tokens(&other), ["Bearer token-other"]);
    // The first stays the default until another is made it.
    assert_eq!(home.json(&["whoami"])["handle"], "one");
    home.run_with_input(&["login", "--default", "--token-stdin", "--registry", &other.base], "token-other")
        .ok();
    assert_eq!(home.json(&["whoami"])["handle"], "other");
    assert_eq!(home.run(&["whoami"]).ok().code, 0);
    assert!(tokens(&one).iter().all(|token| !token.contains("other")));
    assert!(tokens(&other).iter().all(|token| token == "Bearer token-other"));
    let agents = one.asked().into_iter().map(|asked| asked.header("user-agent").unwrap().to_owned());
    assert!(agents.into_iter().all(|agent| agent.starts_with("skillmirror/")));
}

#[test]
fn public_reads_carry_no_token() {
    let host = FakeHost::answering(|asked| match asked.path.as_str() {
        "/api/v1/whoami" => Reply::json(&json!({"handle": "a", "displayName": "a", "role": "user"})),
        _ => Reply::status(404),
    });
    let home = Home::new();
    home.login(&host.base, &User { handle: "a".to_owned(), token: "token-a".to_owned() });
    home.refusal("not_a_registry", &["resolve", "hello"]);
    let with_token = |asked: &crate::harness::ReceivedRequest| asked.header("authorization").is_some();
    let asked = host.asked();
    assert!(asked.len() > 2 && asked.iter().filter(|asked| with_token(asked)).count() == 1, "{asked:?}");
}

#[test]
fn credentials_readable_by_others_are_refused() {
    let registry = RUNNING.get(Registry::start);
    let cat = registry.user("cat");
    let home = Home::new();
    home.login(registry.base(), &cat);
    std::fs::set_permissions(home.credentials(), std::fs::Permissions::from_mode(0o644)).unwrap();
    let why = home.refusal("credentials", &["whoami"]);
    assert!(why.contains("chmod 600"), "{why}");
    let why = home.refusal("credentials", &["resolve", "hello"]);
    assert!(why.contains("--registry"), "{why}");
    // Commands that need no login do not read the file.
    home.run(&["search", "anything", "--registry", registry.base()]).ok();
}

#[test]
fn plain_http_login_to_another_machine_warns() {
    let registry = RUNNING.get(Registry::start);
    let home = Home::new().with("HTTP_PROXY", registry.base()).with("http_proxy", registry.base());
    let output = home.run_with_input(
        &["login", "--token-stdin", "--registry", "http://skills.example.org"],
        &registry.admin().token,
    );
    assert!(output.stderr.contains("warning: http://skills.example.org is not encrypted"), "{output:?}");
}

#[test]
fn login_to_mirror_or_folder_is_refused() {
    let host = FakeHost::answering(|_| Reply::status(404));
    let home = Home::new();
    for at in [host.base.as_str(), "file:///tmp"] {
        let why = home.refusal("unsupported", &["login", "--token", "x", "--registry", at]);
        assert!(why.contains("static mirror") && why.contains("Name the server"), "{why}");
        // The message does not suggest a login.
        for command in [&["whoami"][..], &["publish", "hello"]] {
            let why = home.refusal("unsupported", &[command, &["--registry", at]].concat());
            assert!(why.contains("static mirror") && why.contains("Name the server"), "{why}");
        }
    }
}

#[test]
fn site_naming_another_host_is_shown_before_login() {
    let registry = RUNNING.get(Registry::start);
    let dan = registry.user("dan");
    let document = serde_json::json!({"apiBase": format!("{}/api/v1", registry.base())});
    let site = FakeHost::answering(move |_| Reply::json(&document));
    let home = Home::new();
    let login = ["login", "--token-stdin", "--site", &site.base];
    let output = home.run_with_input(&login, &dan.token).ok();
    let printed = format!("{} names {} as its registry: the token goes there", site.base, registry.base());
    assert!(output.stderr.contains(&printed), "{output:?}");
    Skill::named("hello").write_to(&home.folder().join("hello"));
    let why = home.refusal("unsupported", &["publish", "hello", "--site", &site.base]);
    assert!(why.contains(registry.base()) && why.contains("--registry"), "{why}");
    home.run(&["publish", "hello", "--dry-run", "--registry", registry.base(), "--site", &site.base]).ok();
    // The login was made there, so that it is known.
    home.run(&["publish", "hello", "--dry-run"]).ok();
}

#[test]
fn login_makes_its_folder_private_or_refuses_before_it_asks() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("private-ann");
    let open = |folder: &std::path::Path| {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o775)).unwrap();
    };
    // As `mkdir -p` with the umask 002 makes it.
    let home = Home::new();
    let folder = home.credentials().parent().unwrap().to_owned();
    std::fs::create_dir_all(&folder).unwrap();
    open(&folder);
    home.login(registry.base(), &ann);
    home.run(&["whoami"]).ok();
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);

    // Somebody else may have replaced the file: nothing is sent.
    open(&folder);
    let said = home.run_with_input(&["login", "--token-stdin", "--registry", registry.base()], &ann.token);
    assert!(said.code == 1 && said.stderr.contains("chmod 700"), "{said:?}");
    // So with any other file of this program.
    std::fs::remove_file(home.credentials()).unwrap();
    std::fs::write(folder.join("trusted.json"), "{}").unwrap();
    let said = home.run_with_input(&["login", "--token-stdin", "--registry", "http://127.0.0.1:1"], "x");
    assert!(said.code == 1 && said.stderr.contains("chmod 700"), "{said:?}");
}

#[test]
fn token_of_the_environment_replaces_the_saved_one_and_is_never_printed() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("env-ann"), registry.user("env-bob"));
    let base = registry.base();
    let ci = Home::new().with("CLI_REGISTRY", base).with("SKILLMIRROR_TOKEN", &format!("{}\n", ann.token));
    std::fs::create_dir(ci.folder().join("work")).unwrap();
    std::fs::write(ci.folder().join("work/SKILL.md"), "---\nname: of-env\ndescription: Greets.\n---\n")
        .unwrap();
    for words in [
        &["whoami"][..],
        &["me"],
        &["publish", "work", "--version", "1.0.0"],
        &["info", "of-env"],
        &["token", "list"],
        &["namespace", "create", "env-team"],
        &["publish", "nowhere"],
    ] {
        let printed = ci.run(words).printed() + &ci.run(&[words, &["--json"]].concat()).printed();
        assert!(!printed.contains(&ann.token), "{words:?}: {printed}");
    }
    assert_eq!(registry.as_user(&ann).get("/api/v1/me/reviews").expect_json(200)["total"], 1);
    ci.login(base, &bob);
    assert_eq!(ci.json(&["whoami"])["handle"], "env-ann");
    assert!(!std::fs::read_to_string(ci.credentials()).unwrap().contains(&ann.token));
    let empty = Home::new().with("SKILLMIRROR_TOKEN", "");
    empty.refusal("no_login", &["whoami", "--registry", base]);
    let wrong = Home::new().with("SKILLMIRROR_TOKEN", "two words");
    let why = wrong.refusal("environment", &["whoami", "--registry", base]);
    assert!(why.contains("SKILLMIRROR_TOKEN") && !why.contains("two words"), "{why}");
    // A server of the same environment does not take it for a setting.
    let ann_list = ci.run(&["user", "list", "--data", registry.data().to_str().unwrap()]).ok();
    assert!(ann_list.stdout.contains("env-ann"), "{ann_list:?}");
}

#[test]
fn token_of_the_environment_does_not_go_where_a_project_points() {
    let host = FakeHost::answering(|_| Reply::status(404));
    let home = Home::new().with("SKILLMIRROR_TOKEN", "smt_secret");
    let manifest = format!("registry = \"{}\"\n\n[skills]\nhello = \"*\"\n", host.base);
    std::fs::write(home.folder().join("skills.toml"), manifest).unwrap();
    for words in [&["install"][..], &["install", "other"], &["update"], &["outdated"]] {
        home.run(words);
    }
    assert!(!host.asked().is_empty());
    assert!(host.asked().iter().all(|asked| asked.header("authorization").is_none()));
}
