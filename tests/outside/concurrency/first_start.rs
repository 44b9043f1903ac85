//! Several processes start on an empty data folder at the same time.

use crate::harness::{Registry, Skill, eventually};

#[test]
fn concurrent_commands_create_one_admin() {
    for _ in 0..5 {
        let mut registry = Registry::not_started();
        let began = std::thread::scope(|scope| {
            let add = |slug: &'static str| {
                let zip = registry.write(&format!("{slug}.zip"), &Skill::named(slug).zip());
                registry.command(["import".as_ref(), "--init".as_ref(), zip.as_os_str()]).ok()
            };
            let commands = ["ann", "bob", "cyd", "dan"].map(|slug| scope.spawn(move || add(slug)));
            let output = commands.map(|command| command.join().unwrap());
            output.iter().filter(|output| output.stderr.contains("created a registry")).count()
        });
        assert_eq!(began, 1, "one of them began it");
        registry.restart();
        let whoami = registry.as_user(&registry.admin()).get("/api/v1/whoami").expect_json(200);
        assert!(whoami.to_string().contains("admin"), "{whoami}");
        for slug in ["ann", "bob", "cyd", "dan"] {
            registry.get(&format!("/api/v1/skills/global/{slug}")).expect(200);
        }
    }
}

#[test]
fn concurrent_servers_both_start() {
    for _ in 0..3 {
        let registry = Registry::not_started();
        let (first, second) = std::thread::scope(|scope| {
            let start = || registry.start_second(&[]);
            let (first, second) = (scope.spawn(start), scope.spawn(start));
            (first.join().unwrap(), second.join().unwrap())
        });
        let admin = registry.admin();
        for (client, slug) in [(first.client(), "one"), (second.client(), "two")] {
            let team = serde_json::json!({ "slug": slug });
            client.as_user(&admin).post_json("/api/v1/namespaces", &team).expect(201);
        }
        for client in [first.client(), second.client()] {
            eventually("both servers have both teams", || {
                (client.get("/api/v1/namespaces").expect_json(200)["total"] == 3).then_some(())
            });
        }
        registry.command(["verify"]).ok();
        assert_eq!((first.terminate(), second.terminate()), (0, 0));
    }
}
