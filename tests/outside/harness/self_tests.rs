//! Tests of the harness itself.

use super::{Client, Skill, StaticHost, noise, tree};

#[test]
fn zip_keeps_the_paths_it_is_given() {
    let paths = [
        "con.txt",
        "a:b",
        "dot.",
        "space ",
        "bell\u{7}",
        "back\\slash",
        "ß",
        "SS",
        "x",
        "x/y",
        "cafe\u{301}",
    ];
    let skill = paths.iter().fold(Skill::named("odd"), |skill, path| skill.file(path, path));
    let there = tree::unpacked(&skill.inside("top").zip());
    for path in paths {
        assert_eq!(there[&format!("top/{path}")], (path.as_bytes().to_vec(), 0o644));
    }
    assert_eq!(there.len(), paths.len() + 1);
}

#[test]
fn skill_has_the_parts_it_is_given() {
    let skill = Skill::named("hello").description("Hi.").version("1.0.0").text("Text.\n");
    let text = String::from_utf8(skill.skill_md()).unwrap();
    assert_eq!(text, "---\nname: hello\ndescription: Hi.\nversion: 1.0.0\n---\n\nText.\n");
    let folder = tempfile::tempdir().unwrap();
    let skill = skill.executable("bin/run", "x");
    skill.write_to(folder.path());
    assert_eq!(tree::contents(folder.path()), skill.contents());
    assert_eq!(tree::unpacked(&skill.zip())["bin/run"].1, 0o755);
}

#[test]
fn noise_does_not_compress() {
    let bytes = noise(100_000, 7);
    assert_eq!((bytes.len(), noise(100_000, 7) == bytes, noise(100_000, 8) == bytes), (100_000, true, false));
    assert!(Skill::named("noisy").file("data", bytes).zip().len() > 100_000);
}

#[test]
fn static_host_serves_only_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.json"), b"{}").unwrap();
    let host = StaticHost::over(folder.path());
    let client: Client = host.client();
    let response = client.get("/a.json").expect(200);
    assert_eq!(
        (response.body.as_slice(), response.header("content-type")),
        (&b"{}"[..], Some("application/json"))
    );
    client.get("/b.json").expect(404);
    assert!(client.head("/a.json").expect(200).body.is_empty());
}
