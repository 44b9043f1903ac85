//! Addresses of private networks, and where a credential goes.

use serde_json::Value;

use super::liars::{KINDS, Lie, place, refusal};
use super::{Following, Work};
use crate::harness::{FakeHost, Reply, Tunnel};

#[test]
fn private_addresses_are_refused_unless_they_are_allowed() {
    let world = Following::start();
    let host = Lie::none().host("index");
    let port = host.base.rsplit(':').next().unwrap();
    let (v4, name) = (format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}"));
    let number = format!("http://2130706433:{port}");
    let v6 = format!("http://[::ffff:127.0.0.1]:{port}");
    let work = Work::new();
    for base in [&v4, &name, &number, &v6, "http://169.254.169.254", "http://10.0.0.1"] {
        for kind in KINDS.iter().chain(&["git"]) {
            let (address, options) = place(kind, base);
            let add = ["source", "add", "office", &address, "--kind", kind, "--into", "tools"];
            world.registry.command([&add[..], options].concat()).ok();
            let why = refusal(&world.checked());
            world.registry.command(["source", "remove", "office"]).ok();
            assert!(
                why.contains("private network") && why.contains("private_network = true"),
                "{base}: {why}"
            );
        }
    }
    let add = ["source", "add", "office", &work.address(), "--kind", "git", "--into", "tools"];
    world.registry.command(add).ok();
    assert!(refusal(&world.checked()).contains("on this machine"));
    world.registry.command(["source", "remove", "office"]).ok();
    assert_eq!(host.asked().len(), 0, "nothing was asked");
}

#[test]
fn redirects_to_private_addresses_are_refused() {
    let world = Following::start();
    // A public name is reached through a proxy here.
    let index = "http://skills.example.org/.well-known/skills/index.json";
    let add = ["source", "add", "office", index, "--kind", "index", "--into", "tools"];
    let inside = Lie::none().host("index");
    for to in [
        inside.base.as_str(),
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[fd00::1]/",
    ] {
        let target = to.to_owned();
        let host = FakeHost::answering(move |_| Reply::redirect(302, &target));
        let proxy = Tunnel::to(host.base.rsplit_once(':').unwrap().1.parse().unwrap());
        world.registry.command(add).ok();
        let check = ["source", "check", "office", "--json"];
        let output =
            world.registry.command_with_variables(check, &[("http_proxy", &proxy.address.to_string())]);
        let printed: Value = serde_json::from_str(&output.stdout).unwrap();
        let why = refusal(&printed["items"][0]);
        assert!(why.contains("of a private network"), "{to}: {why}");
        assert_eq!(host.asked().len(), 1, "{to}");
        world.registry.command(["source", "remove", "office"]).ok();
    }
    assert_eq!(inside.asked().len(), 0);
}

#[test]
fn credential_goes_to_the_origin_of_the_source_only() {
    let world = Following::start();
    let other = Lie::none().host("index");
    let archive = format!("{}/a.zip", other.base);
    let host = Lie { url: archive, ..Lie::none() }.host("index");
    let file = world.registry.write("token", b"hunter2-token\n");
    let (address, _) = place("index", &host.base);
    world.follow("index", &address, &["--credential-file", file.to_str().unwrap()]);
    let skills = world.check();
    assert_eq!(skills["hello"]["outcome"], "submitted", "{skills}");
    let sent = |host: &FakeHost| host.asked().iter().any(|asked| asked.header("authorization").is_some());
    assert!(sent(&host) && !sent(&other));
    let said = world.registry.command(["source", "show", "office"]).ok().stdout;
    assert!(!said.contains("hunter2"), "{said}");
}
