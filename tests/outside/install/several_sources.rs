//! `--registry A,B,C`: several copies of one registry.

use std::fs;

use crate::harness::{Project, Registry, Skill, TamperedTree, folder_address};

/// An address where nobody answers.
const DEAD: &str = "http://127.0.0.1:1";

#[test]
fn newest_of_several_sources_is_read() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&admin).expect(201);
    let old = TamperedTree::of(&registry);
    registry.publish(Skill::named("hello").text("new")).version("1.1.0").by(&admin).expect(201);
    let (public, project) = (folder_address(&registry.public()), Project::new());
    for several in [
        format!("{},{}", old.address(), registry.base()),
        format!("{},{DEAD},{}", registry.base(), old.address()),
        format!("{DEAD},{public}"),
    ] {
        let output = project.run_with(&several, "resolve hello").ok();
        assert!(output.stdout.contains("hello 1.1.0"), "{several}: {output:?}");
        let first = several.split(',').next().unwrap();
        project.run_with(&several, "install hello --force").ok();
        assert_eq!(project.record()["skills"]["hello"]["registry"], first);
    }
    let output = project.run_with(&format!("{DEAD},file:///nothing/here"), "resolve hello");
    // Both are asked at once, so either can fail first.
    let names_one = ["127.0.0.1:1", "/nothing/here"].iter().any(|address| output.stderr.contains(address));
    assert!(output.code == 1 && names_one, "{output:?}");
    let output = project.run_with(&format!("{},nonsense", registry.base()), "resolve hello");
    assert!(output.code == 1 && output.stderr.contains("`nonsense`"), "{output:?}");
}

#[test]
fn two_histories_are_an_alarm() {
    let one = Registry::start();
    one.publish(Skill::named("hello")).by(&one.admin()).expect(201);
    let other = Registry::start();
    other.publish(Skill::named("hello")).by(&other.admin()).expect(201);
    // The same epoch with another row, as a liar would serve it.
    let forked = TamperedTree::of(&one);
    for (file, from) in [("log/tile/0/000.p/2", None), ("mirror/head.json", Some("\"root\":\""))] {
        let path = forked.folder().join("api/v1").join(file);
        let bytes = fs::read(&path).unwrap();
        let changed = match from {
            None => bytes.iter().map(|byte| byte ^ 1).collect(),
            Some(from) => {
                String::from_utf8(bytes).unwrap().replace(from, &format!("{from}AAAA")).into_bytes()
            }
        };
        // The root keeps its length.
        let text = String::from_utf8_lossy(&changed).into_owned();
        let text = match text.find("\"root\":\"AAAA") {
            Some(at) => format!("{}{}", &text[..at + 12], &text[at + 16..]).into_bytes(),
            None => changed,
        };
        fs::write(path, text).unwrap();
    }
    let project = Project::new();
    for liar in [folder_address(&other.public()), forked.address()] {
        for several in [format!("{},{liar}", one.base()), format!("{liar},{}", one.base())] {
            let printed = project.refused(&several, "install hello", "not_proved");
            assert!(printed.contains("two different histories"), "{printed}");
        }
    }
    // A copy of an earlier state is no other history, but one with another root of it is.
    let old = TamperedTree::of(&one);
    one.publish(Skill::named("more")).by(&one.admin()).expect(201);
    project.run_with(&format!("{},{}", old.address(), one.base()), "install more").ok();
    let printed =
        project.refused(&format!("{},{}", forked.address(), one.base()), "install more", "not_proved");
    assert!(printed.contains("two different histories"), "{printed}");
}
