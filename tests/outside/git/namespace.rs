//! A namespace as one repository.

use super::publish;
use crate::harness::{Git, Nginx, Registry, Skill};

const SMALL: &str = "[mirror]\ngit = true\nlists_interval = 0\n[git]\nnamespace_skills = 2\n";

fn add(registry: &Registry, slug: &str) {
    registry.publish(Skill::named(slug)).to("team").version("1.0.0").by(&registry.admin()).expect(201);
}

#[test]
fn namespace_is_one_repository_within_the_bounds() {
    let (registry, git) = (Registry::with_config(SMALL), Git::new());
    registry.team("team", &registry.admin());
    let url = format!("{}/team.git", registry.base());
    let refused = |says: &str| {
        let refused = git.run(&["clone", &url, "none"]);
        assert!(refused.stderr.contains(says), "{refused:?}");
        assert!(!registry.tree().iter().any(|file| file.starts_with("team.git/")));
    };
    refused("because it has no skill, or more than 2");
    let hello = publish(&registry, "team", "1.0.0");
    add(&registry, "a-skill");
    git.clone(&url, "both", &["--depth", "1"]);
    let files = git.files("both");
    for (path, content, executable) in hello.entries() {
        assert_eq!(files[&format!("plugins/hello/skills/hello/{path}")], (content, executable), "{path}");
    }
    assert!(files.contains_key("plugins/a-skill/skills/a-skill/SKILL.md"));
    assert!(registry.page("/team/").contains("All skills as one git repository"));
    // The server and the tree have the same commit.
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    git.clone(&format!("{}/team.git", nginx.base), "files", &[]);
    assert_eq!(git.commit("files"), git.commit("both"));
    add(&registry, "third");
    refused("more than 2, or their latest packages");
    assert!(registry.page("/team/").contains("too large for one git repository"));
}
