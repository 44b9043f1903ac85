//! The test vectors of docs/lock-file.md, which other programs can use too, and random locks.

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// The files of a folder of `client/golden/lock`, by their names.
fn vectors(folder: &str) -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/lock").join(folder);
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    files.map(|file| (file.display().to_string(), std::fs::read_to_string(&file).unwrap())).collect()
}

#[test]
fn accepted_vectors_are_written_as_the_canonical_one() {
    let canonical =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/lock/canonical.lock"));
    let canonical = canonical.unwrap();
    assert_eq!(Lock::parse(&canonical).unwrap().render(), canonical);
    let all = vectors("accepted");
    assert!(all.len() >= 3, "{all:?}");
    for (file, text) in all {
        let lock = Lock::parse(&text).unwrap_or_else(|why| panic!("{file}: {why}"));
        assert_eq!(lock.render(), canonical, "{file}");
    }
}

#[test]
fn entry_with_its_source_makes_a_lock_of_version_2() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/lock/canonical-2.lock"))
        .unwrap();
    let lock = Lock::parse(&text).unwrap();
    assert_eq!(lock.render(), text);
    let sources: Vec<_> = lock.skills.values().filter_map(|skill| skill.built_from.as_deref()).collect();
    assert_eq!(sources, ["github.com/acme/skills@0123456789abcdef0123456789abcdef01234567"]);
}

#[test]
fn entry_that_is_required_makes_a_lock_of_version_3() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/lock/canonical-3.lock"))
        .unwrap();
    let mut lock = Lock::parse(&text).unwrap();
    assert_eq!(lock.render(), text);
    let asked: Vec<bool> = lock.skills.values().map(|skill| skill.needed.is_asked).collect();
    assert_eq!(asked, [true, true, false]);
    assert!(lock.unneeded(|skill| skill.needed.is_asked).is_empty());
    lock.skills.remove(&"skills/hello".parse().unwrap());
    assert!(lock.unneeded(|skill| skill.needed.is_asked).is_empty());
    let all: Vec<String> = lock.unneeded(|_| false).iter().map(ToString::to_string).collect();
    assert_eq!(all, ["skills/grilling", "skills/model"]);
}

#[test]
fn link_skips_what_is_not_there_and_settle_drops_what_does_not_fit() {
    let text = include_str!("../../../golden/lock/canonical-3.lock");
    let member = |skill: &str, version: &str, requires: &str| {
        let (skill, version) = (Coordinate::parse_scoped(skill).unwrap().unwrap(), version.parse().unwrap());
        let (Coordinate { namespace, slug, .. }, requirement) = Needed::parse_text(requires).unwrap();
        Member { skill, version, requires: vec![registry::names::Required { namespace, slug, requirement }] }
    };
    let by = |lock: &Lock| lock.skills[&"skills/model".parse().unwrap()].needed.texts();
    let mut lock = Lock::parse(text).unwrap();
    let before = by(&lock);
    lock.link("skills".as_ref(), &[member("@global/hello", "2.0.0", "@team/model ^1")]);
    assert_eq!(by(&lock), before, "hello is there as 1.2.0");
    lock.link("skills".as_ref(), &[member("@global/hello", "1.2.0", "@team/model ^2")]);
    assert_eq!(by(&lock), before, "model could not be moved");
    lock.link("skills".as_ref(), &[member("@global/hello", "1.2.0", "@team/model ^1")]);
    assert_eq!(by(&lock)[0], "@global/hello ^1");
    lock.skills.get_mut(&"skills/model".parse().unwrap()).unwrap().version = "3.0.0".parse().unwrap();
    assert!(Lock::parse(&lock.render()).is_err());
    lock.settle();
    let read = Lock::parse(&lock.render()).unwrap();
    assert!(by(&read).is_empty() && read == lock, "it stays as if it was asked for");
}

/// The first line of each file is a comment with words of the message.
#[test]
fn refused_vectors_are_refused_with_their_reason() {
    let all = vectors("refused");
    assert!(all.len() >= 20, "{}", all.len());
    for (file, text) in all {
        let words = text.lines().next().and_then(|line| line.strip_prefix("# refused: "));
        let words = words.unwrap_or_else(|| panic!("{file} does not say why"));
        let why = Lock::parse(&text).expect_err(&file).to_string();
        assert!(why.contains(words), "{file}: {why}");
    }
}

#[test]
fn lock_with_too_many_skills_is_refused() {
    let entry = |number: usize| {
        format!(
            "[[skill]]\nname = \"@global/a\"\npath = \"s/a{number}\"\nrequirement = \"1\"\nversion = \"1.0.0\"\n\
             registry = \"https://a.example\"\nsha256 = \"{0}\"\ncontent_digest = \"{0}\"\n",
            "0".repeat(64)
        )
    };
    let lock =
        |count: usize| Lock::parse(&format!("version = 1\n{}", (0..count).map(entry).collect::<String>()));
    assert_eq!(lock(MAX_SKILLS).unwrap().skills.len(), MAX_SKILLS);
    assert!(lock(MAX_SKILLS).unwrap().render().len() as u64 <= MAX_BYTES);
    assert!(lock(MAX_SKILLS + 1).unwrap_err().to_string().contains("more than"));
}

fn hello() -> Coordinate {
    "hello".parse().unwrap()
}

proptest! {
    #[test]
    fn parse_of_any_text_does_not_panic(text in "(version = 1\n)?\\PC{0,200}") {
        let _ = Lock::parse(&text);
    }

    #[test]
    fn rendered_lock_is_read_back(
        places in proptest::collection::btree_set("[a-z]{1,3}/[a-z]{1,3}", 0..6),
        requirement in "(\\^1|~1\\.2|=1\\.2\\.3|latest|stable|\\*)",
        folder in "[A-Za-z0-9 äé'.-]{0,6}[a-z]",
    ) {
        let mut lock = Lock::default();
        for text in places {
            let Ok(place) = format!("{folder}/{text}").parse::<Place>() else { continue };
            let coordinate = Coordinate::new(registry::names::Namespace::global(), place.name().clone());
            lock.skills.insert(place.clone(), LockedSkill {
                coordinate,
                place,
                requirement: requirement.parse().unwrap(),
                version: "1.2.3".parse().unwrap(),
                registry: "https://a.example/x".parse().unwrap(),
                sha256: Digest::of(text.as_bytes()),
                content_digest: Digest::of(b""),
                needed: Needed { is_asked: text.len() > 3, by: [(hello(), requirement.parse().unwrap())].into() },
                built_from: text.is_ascii().then(|| "github.com/acme/skills@0123abcd".to_owned()),
            });
        }
        prop_assert_eq!(Lock::parse(&lock.render()).unwrap(), lock);
    }
}
