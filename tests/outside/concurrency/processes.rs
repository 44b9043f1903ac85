//! Several processes on one data folder.

use crate::harness::{Client, Registry, Skill, User, eventually};

#[test]
fn command_publishes_before_it_ends() {
    let registry = Registry::start();
    let folder = registry.folder().join("given");
    Skill::named("given").version("2.0.0").write_to(&folder);
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    let resolved = registry.read("/api/v1/resolve?slug=given");
    assert_eq!(resolved["version"], "2.0.0");
    registry.get("/api/v1/download/given/2.0.0").expect(200);
    registry.command(["verify"]).ok();
}

#[test]
fn user_disabled_by_a_command_is_refused_at_once() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.command(["user", "disable", "ann"]).ok();
    eventually("the server knows that the user is disabled", || {
        (registry.as_user(&ann).get("/api/v1/whoami").status == 401).then_some(())
    });
    // A disabled user's public reads are refused too: the credential is invalid.
    registry.as_user(&ann).get("/api/v1/skills").problem(401, "unauthenticated");
}

#[test]
fn server_without_tree_renders_reads_and_writes_no_tree() {
    let mut registry = Registry::not_started();
    registry.start_with(&["--no-mirror"]);
    let response = registry.publish(Skill::named("alone")).by(&registry.admin()).expect(201);
    assert!(response.header("x-mirror-lag").is_none() && response.header("x-revision").is_some());
    assert_eq!(registry.read("/api/v1/skills")["total"], 1);
    assert!(!registry.public().exists());

    // No server maintains the tree, so the command updates it.
    registry.command(["user", "add", "bob"]).ok();
    let folder = registry.folder().join("more");
    Skill::named("more").write_to(&folder);
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();
    registry.command(["verify"]).ok();
    eventually("the server follows the journal", || {
        (registry.read("/api/v1/skills")["total"] == 2).then_some(())
    });
    let rendered = registry.get("/api/v1/skills").expect(200).body;
    assert_eq!(rendered, std::fs::read(registry.public().join("api/v1/skills.json")).unwrap());
    // Later: a command may write the tree before or after a download is counted.
    registry.get("/api/v1/skills/global/alone/download").expect(200);
}

#[test]
fn two_servers_share_one_journal() {
    let mut first = Registry::start();
    let second = first.start_second(&["--no-mirror"]);
    let admin = first.admin();
    for n in 0..10 {
        let client = if n % 2 == 0 { first.anonymous() } else { second.client() };
        let slug = format!("team-{n}");
        let made =
            client.as_user(&admin).post_json("/api/v1/namespaces", &serde_json::json!({ "slug": slug }));
        made.expect(201);
    }
    // The last one came in through the second, which the first follows.
    eventually("the first server has all", || {
        (first.read("/api/v1/namespaces")["total"] == 11).then_some(())
    });
    drop(second);
    first.stop();
    first.command(["verify"]).ok();
}

/// Creates teams and tokens with the same names as the other threads, until the server is gone.
/// Returns the acknowledged names.
fn hammer(client: &Client, admin: &User, count: usize) -> Vec<String> {
    let client = client.as_user(admin).with("content-type", "application/json");
    let mut made = Vec::new();
    for n in 0..count {
        for (path, key, name) in [
            ("/api/v1/namespaces", "slug", format!("team-{n}")),
            ("/api/v1/tokens", "name", format!("token-{n}")),
        ] {
            let body = serde_json::json!({ key: name }).to_string().into_bytes();
            let Ok(response) = client.try_request("POST", path, Some(body)) else { return made };
            assert!(matches!(response.status, 201 | 409), "{response}");
            if response.status == 201 {
                made.push(name);
            }
        }
    }
    made
}

#[test]
fn one_of_two_servers_may_be_killed() {
    const COUNT: usize = 60;
    let mut first = Registry::with_config("[limits]\ntokens_per_person = 100\n");
    let admin = first.admin();
    let second = first.start_second(&["--no-mirror"]);
    let (here, there) = (first.anonymous(), second.client());
    let process = second.process();
    let mut made = std::thread::scope(|scope| {
        let ends = [&here, &there, &here, &there];
        let running: Vec<_> =
            ends.map(|client| scope.spawn(|| hammer(client, &admin, COUNT))).into_iter().collect();
        eventually("they are in the middle of it", || {
            (first.read("/api/v1/namespaces")["total"].as_u64()? > 10).then_some(())
        });
        process.kill();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    made.sort();
    let told = made.len();
    made.dedup();
    assert_eq!(told, made.len(), "two were told that they made the same");
    // The second server did not wait for a tree.
    eventually("all of them are in the tree", || {
        (first.read("/api/v1/namespaces")["total"] == COUNT + 1).then_some(())
    });
    // When each was last used is left out: asking uses one.
    let tokens = |client: &Client| {
        let mut page = client.as_user(&admin).get("/api/v1/tokens?size=100").expect_json(200);
        let items = page["items"].as_array_mut().unwrap();
        items.iter_mut().for_each(|item| drop(item.as_object_mut().unwrap().remove("lastUsedAt").unwrap()));
        page
    };
    assert_eq!(tokens(&here)["total"], COUNT + 1);
    drop(second);
    let second = first.start_second(&["--no-mirror"]);
    for path in ["/api/v1/namespaces?size=100", "/api/v1/skills", "/api/v1/mirror/head.json"] {
        assert_eq!(first.get(path).expect(200).body, second.client().get(path).expect(200).body, "{path}");
    }
    assert_eq!(tokens(&here), tokens(&second.client()));
    drop(second);
    first.command(["journal", "check"]).ok();
    first.stop();
    first.command(["verify"]).ok();
}

#[test]
fn two_servers_never_publish_one_version_twice() {
    const COUNT: usize = 12;
    let mut first = Registry::start();
    let admin = first.admin();
    let second = first.start_second(&["--no-mirror"]);
    let ends = [first.anonymous(), second.client()].map(|client| client.as_user(&admin));
    // Each end publishes the same versions with a content of its own.
    let publish = |client: &Client, end: usize| {
        let one = |n: usize| {
            let skill = Skill::named("contested").text(&format!("As end {end} has it.\n"));
            let response = first.publish(skill).version(&format!("1.{n}.0")).try_through(client).unwrap();
            assert!(matches!(response.status, 201 | 409), "{response}");
            (response.status == 201).then(|| response.json()["sha256"].clone())
        };
        (0..COUNT).map(one).collect::<Vec<_>>()
    };
    let won = std::thread::scope(|scope| {
        let publish = &publish;
        let running = [0, 1].map(|end| {
            scope.spawn({
                let client = &ends[end];
                move || publish(client, end)
            })
        });
        running.map(|one| one.join().unwrap())
    });
    let versions = eventually("the first server has what came in through the second", || {
        let versions = first.read("/api/v1/skills/global/contested/versions");
        (versions["total"] == COUNT).then_some(versions)
    });
    for n in 0..COUNT {
        let kept =
            versions["items"].as_array().unwrap().iter().find(|one| one["version"] == format!("1.{n}.0"));
        let winners: Vec<_> = won.iter().filter_map(|end| end[n].as_ref()).collect();
        assert_eq!(winners, [&kept.unwrap()["sha256"]], "1.{n}.0");
    }
    drop(second);
    first.command(["journal", "check"]).ok();
    first.stop();
    first.command(["verify"]).ok();
}
