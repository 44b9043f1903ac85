//! Choices in small worlds, compared with all that there are.

use std::collections::BTreeMap;

use proptest::prelude::*;
use registry::names::{Namespace, WrittenRequired};

use super::*;

/// The versions of each skill, the best first, and what they require.
#[derive(Debug, Clone, Default)]
struct Small(BTreeMap<Coordinate, Vec<Candidate>>);

impl World for Small {
    fn installed(&self, _: &Coordinate) -> Option<Candidate> {
        None
    }

    fn offered(&mut self, skill: &Coordinate, _: bool) -> Result<Rc<[Candidate]>, InstallError> {
        Ok(self.0.get(skill).cloned().unwrap_or_default().into())
    }

    fn standing(&self, skill: &Coordinate) -> Vec<(Requirement, String)> {
        match skill.slug.as_str() {
            "kept" => vec![("^1".parse().unwrap(), "@n/old 1.0.0".to_owned())],
            _ => Vec::new(),
        }
    }
}

/// A world of lines such as `a 1.2.0: b@^1, c`. The best version of a skill comes first.
fn world(lines: &[&str]) -> Small {
    let namespace: Namespace = "n".parse().unwrap();
    let mut world = Small::default();
    for line in lines {
        let (skill, requires) = line.split_once(':').unwrap();
        let (name, version) = skill.split_once(' ').unwrap();
        let requires = match requires.trim() {
            "" => Vec::new(),
            text => WrittenRequired::parse_list(text).unwrap(),
        };
        let all = world.0.entry(Coordinate::new(namespace.clone(), name.parse().unwrap())).or_default();
        let requires = requires.into_iter().map(|one| one.in_namespace(&namespace)).collect();
        let is_latest = all.is_empty();
        all.push(Candidate { version: version.parse().unwrap(), is_latest, tags: Vec::new(), requires });
    }
    world
}

fn root(text: &str) -> Root {
    let written: WrittenRequired = text.parse().unwrap();
    let required = written.in_namespace(&"n".parse().unwrap());
    Root { skill: required.coordinate(), asked: Some(required.requirement) }
}

fn choice(lines: &[&str], roots: &[&str]) -> String {
    let roots: Vec<Root> = roots.iter().map(|text| root(text)).collect();
    match solve(&mut world(lines), &roots) {
        Ok(members) => {
            let shown = members.iter().map(|one| format!("{} {}", one.skill.slug, one.version));
            shown.collect::<Vec<_>>().join(", ")
        }
        Err(why) => why.to_string(),
    }
}

#[test]
fn choice_has_the_best_versions_that_fit() {
    let cases: [(&[&str], &[&str], &str); 6] = [
        (&["a 1.0.0: b@^1", "b 2.0.0:", "b 1.5.0:", "b 1.0.0:"], &["a"], "a 1.0.0, b 1.5.0"),
        (&["a 1.0.0: b", "b 1.0.0: a"], &["a"], "a 1.0.0, b 1.0.0"),
        (&["a 1.0.0: b, c", "b 2.0.0:", "b 1.0.0:", "c 1.0.0: b@^1"], &["a"], "a 1.0.0, b 1.0.0, c 1.0.0"),
        (&["a 1.1.0: b@^2", "a 1.0.0: b@^1", "b 1.0.0:"], &["a@^1"], "a 1.0.0, b 1.0.0"),
        (&["a 1.0.0: kept", "kept 2.0.0:", "kept 1.0.0:"], &["a"], "a 1.0.0, kept 1.0.0"),
        (&["a 2.0.0:", "a 1.0.0:"], &["a@1.0.0"], "a 1.0.0"),
    ];
    for (lines, roots, expected) in cases {
        assert_eq!(choice(lines, roots), expected, "{lines:?}");
    }
}

#[test]
fn contradiction_names_both_chains() {
    let cases: [(&[&str], &[&str], &str); 6] = [
        (
            &["x 1.2.0: z@^1", "y 2.0.0: z@^2", "z 2.0.0:", "z 1.0.0:"],
            &["x", "y"],
            "no version of @n/z fits all that need it: @n/x 1.2.0 (you asked) needs @n/z ^1; \
             @n/y 2.0.0 (you asked) needs @n/z ^2",
        ),
        (
            &["x 1.0.0: y, z@^1", "y 2.0.0: z@^2", "z 2.0.0:", "z 1.0.0:"],
            &["x"],
            "@n/x 1.0.0 (you asked) needs @n/z ^1; @n/x 1.0.0 (you asked) needs @n/y latest, and @n/y 2.0.0 needs @n/z ^2",
        ),
        (&["x 1.0.0: z@^3", "z 2.0.0:"], &["x"], "needs @n/z ^3, but no version of @n/z fits"),
        (&["x 1.0.0: z"], &["x"], "needs @n/z latest, but the registry has no @n/z"),
        (&["x 1.0.0: kept@^2", "kept 2.0.0:", "kept 1.0.0:"], &["x"], "; @n/old 1.0.0 needs @n/kept ^1"),
        (&["x 1.1.0: z", "x 1.0.0:"], &["x"], "the registry has no @n/z"),
    ];
    for (lines, roots, expected) in cases {
        let why = choice(lines, roots);
        assert!(why.contains(expected), "{lines:?}: {why}");
    }
}

/// Whether some choice of versions satisfies all, by trying every one.
fn has_choice(world: &Small, roots: &[Root]) -> bool {
    let skills: Vec<&Coordinate> = world.0.keys().collect();
    let total: usize = world.0.values().map(Vec::len).product();
    (0..total).any(|mut number| {
        let mut chosen = BTreeMap::new();
        for skill in &skills {
            let all = &world.0[*skill];
            chosen.insert((*skill).clone(), &all[number % all.len()]);
            number /= all.len();
        }
        let asked =
            roots.iter().all(|root| accepts(chosen.get(&root.skill).copied(), root.asked.as_ref(), true));
        let mut reached: Vec<Coordinate> = roots.iter().map(|root| root.skill.clone()).collect();
        let mut at = 0;
        while let Some(skill) = reached.get(at).cloned() {
            at += 1;
            for one in chosen.get(&skill).into_iter().flat_map(|one| &one.requires) {
                if !accepts(chosen.get(&one.coordinate()).copied(), Some(&one.requirement), false) {
                    return false;
                }
                if !reached.contains(&one.coordinate()) {
                    reached.push(one.coordinate());
                }
            }
        }
        asked
    })
}

fn accepts(candidate: Option<&Candidate>, requirement: Option<&Requirement>, is_asked: bool) -> bool {
    candidate.is_some_and(|candidate| match requirement {
        Some(Requirement::Latest) => !is_asked || candidate.is_latest,
        Some(other) => other.allows(&candidate.version) == Some(true),
        None => true,
    })
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let requires = prop::collection::vec(
        ("[a-e]", prop::sample::select(vec!["", "@^1", "@^2", "@=1.0.0", "@1.1"])),
        0..3,
    );
    let version = (prop::sample::select(vec!["2.0.0", "1.1.0", "1.0.0"]), requires);
    let skill = prop::collection::btree_map(version.clone().prop_map(|(version, _)| version), version, 1..3);
    prop::collection::vec(skill, 5).prop_map(|skills| {
        let mut lines = Vec::new();
        for (name, versions) in ["a", "b", "c", "d", "e"].iter().zip(skills) {
            for (version, (_, requires)) in versions.into_iter().rev() {
                let requires = requires.iter().filter(|(other, _)| other != name);
                let requires: Vec<String> =
                    requires.map(|(other, range)| format!("{other}{range}")).collect();
                lines.push(format!("{name} {version}: {}", requires.join(", ")));
            }
        }
        lines
    })
}

proptest! {
    #[test]
    fn choice_is_found_if_there_is_one(lines in lines(), one in "[a-e]", other in "[a-e]", range in prop::sample::select(vec!["", "@^1", "@*"])) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let roots = if one == other { vec![root(&one)] } else { vec![root(&one), root(&format!("{other}{range}"))] };
        let mut world = world(&lines);
        let known = world.clone();
        match solve(&mut world, &roots) {
            Ok(members) => {
                let of = |skill: &Coordinate| {
                    let member = members.iter().find(|member| member.skill == *skill)?;
                    known.0[skill].iter().find(|one| one.version == member.version)
                };
                for root in &roots {
                    prop_assert!(accepts(of(&root.skill), root.asked.as_ref(), true));
                }
                for one in members.iter().flat_map(|member| &member.requires) {
                    prop_assert!(accepts(of(&one.coordinate()), Some(&one.requirement), false));
                }
            }
            Err(why) => prop_assert!(!has_choice(&known, &roots), "{why}"),
        }
    }
}
