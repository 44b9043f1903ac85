//! The number of documents that one publish writes.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

use crate::harness::{Registry, Skill};

/// The files of the tree, each with what says that it was written again.
fn inodes(registry: &Registry) -> BTreeMap<String, u64> {
    let file = |file: String| {
        let inode = registry.public().join(&file).metadata().unwrap().ino();
        (file, inode)
    };
    registry.tree().into_iter().map(file).collect()
}

/// The documents that `act` writes, without compressed siblings. Several names of one package count
/// once.
fn written(registry: &Registry, act: impl FnOnce()) -> Vec<String> {
    let before = inodes(registry);
    act();
    let after = inodes(registry);
    let written = after.iter().filter(|(file, inode)| before.get(*file) != Some(*inode));
    let documents = written.filter(|(file, _)| !file.ends_with(".gz")).map(|(file, inode)| (inode, file));
    documents.collect::<BTreeMap<_, _>>().into_values().cloned().collect()
}

#[test]
fn publish_writes_a_limited_number_of_documents() {
    // So that each of its words has precomputed results.
    let registry = Registry::with_config("[mirror]\nwait_timeout = 600\n[search]\nprecompute = 2000\n");
    let admin = registry.admin();
    registry.team("desk", &admin);
    let folder = registry.folder().join("many");
    for n in 0..600 {
        Skill::named(&format!("skill-{n:03}")).write_to(&folder.join(format!("skill-{n:03}")));
    }
    let import = ["import".as_ref(), folder.as_os_str(), "--namespace".as_ref(), "desk".as_ref()];
    registry.command(import).ok();
    registry.publish(Skill::named("settled")).by(&admin).expect(201);
    assert!(registry.public().join("desk/_skill-1/index.html").exists());

    // A new skill is worst as the first one by name: it moves all others. This one is
    // found by as many words as the median of 605 packages from public registries, 36.
    let words: Vec<_> =
        (0..33).map(|n| format!("word{}", (b'a' + n % 26) as char).repeat(1 + n as usize / 26)).collect();
    let new = written(&registry, || {
        let skill = Skill::named("a-new-one").description(&words.join(" "));
        registry.publish(skill).to("desk").by(&admin).expect(201);
    });
    let pages = new.iter().filter(|file| file.ends_with(".html")).count();
    // Two of its namespace, its own, that of its version, the first ones of all and of namespaces, and six orders.
    assert_eq!(pages, 12, "{new:#?}");
    // Two pages of the order by update, of its namespace and of all, and the first ones of five orders.
    let lists = new.iter().filter(|file| file.starts_with("api/v1/skills/_list/")).count();
    assert_eq!(lists, 9, "{new:#?}");
    // Itself, and the top of four lists.
    let clawhub = new.iter().filter(|file| file.starts_with("clawhub/")).count();
    assert_eq!(clawhub, 5, "{new:#?}");
    // Precomputed results of its words; of its name, one word and two compounds.
    let answers = new.iter().filter(|file| file.contains("/search/_q/")).count();
    assert_eq!(answers, 36, "{new:#?}");
    // The rest is its own, and what the search index has of its words.
    assert!(new.len() - answers - clawhub <= 72, "{} documents: {new:#?}", new.len());

    let version = written(&registry, || {
        let skill = Skill::named("skill-100").text("Another text.\n");
        registry.publish(skill).to("desk").version("1.1.0").by(&admin).expect(201);
    });
    let pages = version.iter().filter(|file| file.ends_with(".html")).count();
    // Its own, that of its version, one of its namespace, the first one of all, and four orders.
    assert_eq!(pages, 8, "{version:#?}");
    // Also its SKILL.md, two feeds, and other words of its text in a piece of the search index.
    assert!(version.len() <= 43, "{} documents: {version:#?}", version.len());
}
