//! Imports of folders and zips.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::harness::{CommandOutput, Registry, Skill, eventually, tree::unpacked};

/// A registry that has been started once and stopped.
fn prepared() -> Registry {
    let mut registry = Registry::start();
    registry.stop();
    registry
}

fn import(registry: &Registry, options: &[&str], paths: &[PathBuf]) -> CommandOutput {
    let mut arguments: Vec<OsString> = vec!["import".into()];
    arguments.extend(options.iter().map(Into::into));
    arguments.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
    registry.command(arguments)
}

/// Namespace, slug and version of every skill in the list of the tree.
fn listed(registry: &Registry) -> Vec<String> {
    let list = registry.tree_json("api/v1/skills/_list/_all/name-1.json");
    let text = |item: &serde_json::Value, field: &str| item[field].as_str().unwrap().to_owned();
    let mut all: Vec<String> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| format!("{}/{} {}", text(item, "namespace"), text(item, "slug"), text(item, "version")))
        .collect();
    all.sort();
    all
}

#[test]
fn folder_is_imported() {
    let registry = prepared();
    let folder = registry.folder().join("in/hello");
    let skill = Skill::named("hello").version("1.2.0").executable("run.sh", "#!/bin/sh\n");
    skill.write_to(&folder);
    import(&registry, &[], &[folder]).ok();
    assert_eq!(listed(&registry), ["global/hello 1.2.0"]);
    let zip = unpacked(&registry.tree_file("api/v1/skills/global/hello/download.zip"));
    assert_eq!(zip["run.sh"], (b"#!/bin/sh\n".to_vec(), 0o755));
    assert_eq!(zip["SKILL.md"].0, skill.skill_md());
    let author = &registry.tree_json("api/v1/skills/global/hello.json")["author"]["handle"];
    assert_eq!(author, "admin", "--as is admin when it is not given");
}

#[test]
fn folder_of_folders_is_imported() {
    let registry = prepared();
    let folder = registry.folder().join("in");
    Skill::named("one").write_to(&folder.join("one"));
    Skill::named("two").write_to(&folder.join("two"));
    Skill::nameless().write_to(&folder.join("three"));
    registry.write("in/README.md", b"Not a skill.");
    import(&registry, &[], &[folder]).ok();
    assert_eq!(listed(&registry), ["global/one 1.0.0", "global/three 1.0.0", "global/two 1.0.0"]);
}

#[test]
fn zips_are_imported_in_the_given_order() {
    let registry = prepared();
    let first = registry.write("first.zip", &Skill::named("hello").text("1").zip());
    let second = registry.write("second.zip", &Skill::named("hello").text("2").zip());
    let named = registry.write("by-file.zip", &Skill::nameless().zip());
    import(&registry, &[], &[first, second, named]).ok();
    assert_eq!(listed(&registry), ["global/by-file 1.0.0", "global/hello 1.0.1"]);
    let zip = unpacked(&registry.tree_file("api/v1/skills/global/hello/versions/1.0.0/download.zip"));
    assert!(zip["SKILL.md"].0.ends_with(b"1"), "the first argument is the first version");
}

#[test]
fn second_import_adds_nothing() {
    let registry = prepared();
    let folder = registry.folder().join("in");
    Skill::named("one").write_to(&folder.join("one"));
    Skill::named("two").version("2.0.0").write_to(&folder.join("two"));
    let zip = registry.write("three.zip", &Skill::named("three").zip());
    let paths = [folder, zip];
    import(&registry, &[], &paths).ok();
    let before = registry.tree_bytes();
    import(&registry, &[], &paths).ok();
    assert_eq!(registry.tree_bytes(), before);
}

#[test]
fn import_into_a_namespace_as_a_user() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    let zip = registry.write("hello.zip", &Skill::named("hello").zip());
    import(&registry, &["--namespace", "tools", "--as", "ann"], &[zip]).ok();
    let skill = eventually("the server sees what another process added", || {
        let response = registry.get("/api/v1/skills/tools/hello");
        (response.status == 200).then(|| response.json())
    });
    assert_eq!(skill["author"]["handle"], "ann");
    registry.get("/api/v1/skills/global/hello").problem(404, "not_found");
}

#[test]
fn refused_package_is_named_with_its_reason() {
    let registry = prepared();
    let good = registry.write("in/good.zip", &Skill::named("good").zip());
    let entryless = registry.write("in/entryless.zip", &Skill::without_entry().file("x", "x").zip());
    let broken = registry.write("in/broken.zip", b"no zip at all");
    let device = registry.write("in/device.zip", &Skill::named("device").file("nul.txt", "x").zip());
    let plain = registry.folder().join("in/plain");
    Skill::of_text(b"# No front matter\n\nJust text.\n").write_to(&plain);
    let output = import(&registry, &[], &[good, entryless, broken, device, plain]);
    let printed = output.printed();
    for (file, reason) in [
        ("entryless.zip", "SKILL.md"),
        ("broken.zip", "zip"),
        ("device.zip", "nul.txt"),
        ("plain", "front matter"),
    ] {
        assert!(printed.contains(file), "{file} is not named: {printed}");
        assert!(printed.contains(reason), "why {file} is refused: {printed}");
    }
    assert_eq!(listed(&registry), ["global/good 1.0.0"], "the others are taken all the same");
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("4 packages were refused: the table shows which"), "{output:?}");
}

#[test]
fn tolerant_import_repairs_packages() {
    let registry = prepared();
    let folder = registry.folder().join("in");
    Skill::of_text(b"# Plain\n\nDescribes itself in its first paragraph.\n").write_to(&folder.join("plain"));
    Skill::of_text(b"---\nname: colon\ndescription: Use this: it is fine\n---\n\nText.\n")
        .write_to(&folder.join("colon"));
    Skill::without_entry()
        .file("skills.md", Skill::named("plural").skill_md())
        .write_to(&folder.join("plural"));
    Skill::of_text(b"").write_to(&folder.join("empty"));

    import(&registry, &[], std::slice::from_ref(&folder));
    assert_eq!(listed(&registry).len(), 0, "strictly, all are refused");
    let output = import(&registry, &["--tolerant"], &[folder]);
    assert_eq!(listed(&registry), ["global/colon 1.0.0", "global/plain 1.0.0", "global/plural 1.0.0"]);
    assert!(output.printed().contains("empty"), "what can't be repaired is named: {output:?}");

    let plain = registry.tree_json("api/v1/skills/global/plain/versions/1.0.0.json");
    assert!(!plain["warnings"].as_array().unwrap().is_empty(), "a repair is a warning: {plain}");
    let colon = registry.tree_json("api/v1/skills/global/colon.json");
    assert_eq!(colon["description"], "Use this: it is fine");
    let plain = registry.tree_json("api/v1/skills/global/plain.json");
    assert_eq!(plain["description"], "Describes itself in its first paragraph.");
    let kept = unpacked(&registry.tree_file("api/v1/skills/global/plain/download.zip"));
    assert_eq!(
        kept["SKILL.md"].0, b"# Plain\n\nDescribes itself in its first paragraph.\n",
        "the file is not touched"
    );
}

#[test]
fn unknown_namespace_is_told_once() {
    let registry = prepared();
    for name in ["one", "two", "three"] {
        Skill::named(name).write_to(&registry.folder().join("in").join(name));
    }
    let output = import(&registry, &["--namespace", "nobody"], &[registry.folder().join("in")]);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.printed().matches("there is no namespace `nobody`").count(), 1, "{output:?}");
    assert_eq!(listed(&registry).len(), 0);
}

#[test]
fn existing_versions_and_warnings_are_named() {
    let registry = prepared();
    let folder = registry.folder().join("in");
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        Skill::of_text(format!("---\nname: {name}\ndescription: {name}\nversion: v1.2\n---\n").as_bytes())
            .write_to(&folder.join(name));
    }
    let one = [folder.join("a")];
    let output = import(&registry, &[], &one).ok();
    let expected = "imported 1 version; 0 already existed; 0 refused; 1 warning (`--verbose` shows it)\n";
    assert_eq!(output.stdout, expected);
    let output = import(&registry, &[], &one).ok();
    assert!(
        output.stdout.contains("already existed: a 1.2.0 (") && output.stdout.contains("in/a)"),
        "{output:?}"
    );
    import(&registry, &[], std::slice::from_ref(&folder)).ok();
    let output = import(&registry, &[], std::slice::from_ref(&folder)).ok();
    assert!(output.stdout.contains("already existed: 2 more (`--verbose` lists them)"), "{output:?}");
    assert!(output.stdout.contains("; 7 warnings (`--verbose` lists them)"), "{output:?}");
    let output = import(&registry, &["--verbose"], &[folder]).ok();
    let warned = output.stdout.lines().filter(|line| line.starts_with("warning: ")).count();
    let named = output.stdout.lines().filter(|line| line.starts_with("already existed: ")).count();
    assert_eq!((warned, named), (7, 7), "{output:?}");
    assert!(output.stdout.contains("SKILL.md:4: the version `v1.2` was read as 1.2.0"), "{output:?}");
}

#[test]
fn missing_path_is_named() {
    let registry = prepared();
    let output = import(&registry, &[], &[registry.folder().join("nowhere")]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.printed().contains("nowhere") && !output.stderr.is_empty(), "{output:?}");
    let zip = registry.write("hello.zip", &Skill::named("hello").zip());
    let output = import(&registry, &["--as", "nobody"], std::slice::from_ref(&zip));
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("nobody"), "{output:?}");
    let output = import(&registry, &["--namespace", "Not A Name"], &[zip]);
    assert_ne!(output.code, 0, "{output:?}");
    assert_eq!(import(&registry, &[], &[]).code, 2, "nothing to import is a usage error");
}
