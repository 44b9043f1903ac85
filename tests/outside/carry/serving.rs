//! `snapshot serve`.

use std::path::Path;

use crate::harness::{Project, Registry, ServerProcess};

use super::{create, lived_in};

fn serve(registry: &Registry, source: &Path) -> ServerProcess {
    registry.start_other(&["snapshot", "serve", source.to_str().unwrap(), "--listen", "127.0.0.1:0"])
}

#[test]
fn served_snapshot_answers_like_its_registry() {
    let (registry, _) = lived_in();
    let file = create(&registry, "all.tar.zst", &[]);
    let reads = [
        "/",
        "/tools/hello/",
        "/api/v1/skills?sort=name",
        "/api/v1/search?q=hello",
        "/api/v1/search?q=hello%20this&limit=5",
        "/api/v1/skills/tools/hello/resolve?tag=stable",
        "/api/v1/resolve?slug=tools--hello&version=1.0.0",
        "/api/v1/mirror/head.json",
        "/api/v1/download/tools--hello/latest",
        "/api/v1/skills/tools/hello/versions/1.1.0/proof",
        "/clawhub/api/v1/skills/tools--hello",
        "/clawhub/api/v1/skills?limit=7&sort=stars",
        "/clawhub/api/v1/search?q=hello&limit=25",
        "/clawhub/api/v1/resolve?slug=tools--hello&hash=00",
        "/clawhub/api/v1/skills/tools--hello/versions/1.0.0",
        "/clawhub/api/v1/skills/tools--hello/file?path=SKILL.md",
        "/clawhub/api/v1/download?slug=tools--hello&version=1.0.0",
    ];
    let expected = reads.map(|path| registry.get(path).expect(200).body);
    let served = serve(&registry, &file);
    for (path, expected) in reads.iter().zip(&expected) {
        assert_eq!(served.client().get(path).expect(200).body, *expected, "{path}");
    }
    served.client().get("/api/v1/skills/tools/gone").expect(410);
    served.client().get("/api/v1/skills/tools/never").expect(404);
    assert_eq!(
        served.client().get("/clawhub/api/v1/skills/tools--gone").expect(404).text(),
        "Skill not found"
    );
    let refused = served.client().post_json("/api/v1/namespaces", &serde_json::json!({"slug": "x"}));
    assert_eq!(refused.expect(405).require_header("allow"), "GET, HEAD");
    for (method, path) in [
        ("GET", "/clawhub/api/v1/whoami"),
        ("POST", "/clawhub/api/v1/skills"),
        ("DELETE", "/clawhub/api/v1/stars/tools--hello"),
        ("POST", "/api/cli/device/code"),
    ] {
        let refused = served.client().request(method, path, None).expect(404).text();
        let sentence = "This host is read-only: set CLAWHUB_REGISTRY to the URL of the registry's own server for this command.";
        assert!(refused.contains(sentence), "{refused}");
    }
    let project = Project::new();
    project.run_with(&served.base, "install tools/hello").ok();
    assert_eq!(served.terminate(), 0);
    // The folder beside it.
    let mirror = registry.folder().join("all.tar.zst.tree");
    let again = serve(&registry, &mirror);
    again.client().get("/tools/hello/").expect(200);
    assert_eq!(again.terminate(), 0);
    let output = super::snapshot(
        &registry,
        &["serve", registry.public().to_str().unwrap(), "--listen", "127.0.0.1:0"],
    );
    assert!(
        output.code == 1 && output.stderr.contains("is the tree of a registry, whose own process keeps it"),
        "{output:?}"
    );
}
