//! Sources that lack packages: a message names the way, and with it the mirror follows.

use std::fs;

use crate::harness::{CommandOutput, Registry, Skill, TamperedTree, run};

fn generate(registry: &Registry, feed: &TamperedTree, further: &[&str]) -> CommandOutput {
    let mirror = registry.folder().join("mirror");
    let arguments =
        ["generate", "--feed", feed.folder().to_str().unwrap(), "--out", mirror.to_str().unwrap()];
    run(registry.folder(), &[&arguments, further].concat().into_iter().map(Into::into).collect::<Vec<_>>())
}

#[test]
fn message_about_missing_packages_names_the_lines_that_let_a_mirror_go_on() {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.versions("tools/hello", &["1.0.0", "1.1.0"], &admin);
    let text: String = (0..20_000_u32).map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761))).collect();
    registry.publish(Skill::named("large").file("a.txt", text.as_bytes())).to("tools").by(&admin).expect(201);
    registry.versions("tools/last", &["1.0.0"], &admin);
    let mirror = registry.folder().join("mirror");
    generate(&registry, &TamperedTree::of(&registry), &[]).ok();
    registry.versions("tools/hello", &["1.2.0", "1.3.0", "1.4.0"], &admin);
    registry.yank("tools/hello", "1.0.0", &admin).expect(200);
    registry.remove("tools/last", &admin).expect(204);
    let source = TamperedTree::of(&registry);
    let package = |version: &str| source.path("tools/hello", &format!("/versions/{version}/download.zip"));
    fs::remove_file(package("1.2.0")).unwrap();
    let whole = fs::read(package("1.3.0")).unwrap();
    fs::write(package("1.3.0"), &whole[..whole.len() / 2]).unwrap();
    let said = generate(&registry, &source, &[]);
    assert_eq!(said.code, 1, "{said:?}");
    for words in
        ["`@tools/hello@1.2.0`", "`@tools/hello@1.3.0`", "--deny", "`mirror.feed_deny`", "does not exist"]
    {
        assert!(said.stderr.contains(words), "{words}: {said:?}");
    }
    assert!(mirror.join("tools/last/index.html").exists());
    // The lines of the message.
    let lines: Vec<_> = said.stderr.split('`').filter(|word| word.starts_with("@tools/")).collect();
    registry.write("deny", lines.join("\n").as_bytes());
    let deny = registry.folder().join("deny");
    generate(&registry, &source, &["--deny", deny.to_str().unwrap()]).ok();
    assert!(!mirror.join("tools/last/index.html").exists(), "removals arrive");
    let shown = fs::read_to_string(mirror.join("api/v1/skills/tools/hello/versions.json")).unwrap();
    assert!(shown.contains("1.4.0") && !shown.contains("1.2.0") && shown.contains("yanked"), "{shown}");

    let config = registry.write("small.toml", b"[mirror]\nfeed_max_package = 1000\n");
    fs::remove_dir_all(&mirror).unwrap();
    fs::remove_dir_all(registry.folder().join("mirror.state")).unwrap();
    let said = generate(&registry, &TamperedTree::of(&registry), &["--config", config.to_str().unwrap()]);
    for words in ["`@tools/large@1.0.0`", "--deny", "raise `mirror.feed_max_package`"] {
        assert!(said.code == 1 && said.stderr.contains(words), "{words}: {said:?}");
    }
}
