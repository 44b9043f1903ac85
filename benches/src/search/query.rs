//! Queries with a known target.

use registry::names::Digest;

use super::Skill;
use super::class::Class;
use super::remembered::Remembered;
use crate::world::Prose;

/// Which of the queries: all those for one skill are in one half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Those that numbers may be chosen by.
    Tuning,
    /// The queries that nothing was tuned with. They are published.
    HeldOut,
}

impl Half {
    /// The name of the half.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tuning => "tuning half",
            Self::HeldOut => "held-out half",
        }
    }

    /// The half of a skill, by the digest of its name.
    fn of(skill: &Skill) -> Self {
        if seed(skill, "half") & 1 == 0 { Self::Tuning } else { Self::HeldOut }
    }
}

/// A query and its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its kind.
    pub class: Class,
    /// Words, one space between.
    pub text: String,
    /// The number of the skill that is meant.
    pub wanted: usize,
}

/// A number of its own for each skill and purpose, the same in each run.
fn seed(skill: &Skill, purpose: &str) -> u64 {
    let text = format!("{}/{} {purpose}", skill.namespace, skill.slug);
    Digest::of(text.as_bytes()).as_bytes().iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// The queries of a half: up to `each` of each kind for each of its skills, no
/// two alike.
pub(super) fn queries(skills: &[Skill], half: Half, each: usize) -> Vec<Query> {
    let mut all = Vec::new();
    for (wanted, skill) in skills.iter().enumerate().filter(|(_, skill)| Half::of(skill) == half) {
        let remembered = Remembered::of(skill);
        for class in Class::ALL {
            // Of its own for each kind: a new kind leaves the others' queries as they are.
            let mut chance = Prose::of(seed(skill, class.title()));
            let mut texts: Vec<String> = Vec::new();
            for _ in 0..each * 3 {
                let text = remembered.query(class, &mut chance);
                texts.extend(text.filter(|text| !texts.contains(text)));
                if texts.len() == each {
                    break;
                }
            }
            all.extend(texts.into_iter().map(|text| Query { class, text, wanted }));
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::generated;
    use std::collections::HashSet;

    #[test]
    fn every_kind_is_there_and_halves_have_nothing_in_common() {
        let skills = generated::make(&[], 200);
        let [tuning, held_out] = [Half::Tuning, Half::HeldOut].map(|half| queries(&skills, half, 3));
        let meant = |queries: &[Query]| queries.iter().map(|query| query.wanted).collect::<HashSet<_>>();
        assert_eq!(meant(&tuning).intersection(&meant(&held_out)).count(), 0);
        assert_eq!(meant(&tuning).len() + meant(&held_out).len(), 200);
        assert!((80..120).contains(&meant(&tuning).len()));
        // Made-up skills are in English.
        for class in Class::ALL.into_iter().filter(|class| *class != Class::Dense) {
            assert!(tuning.iter().filter(|query| query.class == class).count() > 50, "{class:?}");
        }
        assert_eq!(held_out, queries(&skills, Half::HeldOut, 3));
    }

    #[test]
    fn queries_are_of_the_skills_words() {
        let skills = generated::make(&[], 50);
        let others = [Class::Folded, Class::Missing, Class::Compound, Class::Synonym, Class::Sentence];
        for query in
            queries(&skills, Half::Tuning, 2).into_iter().filter(|query| !others.contains(&query.class))
        {
            let skill = skills.get(query.wanted).unwrap();
            let text = format!("{} {} {}", skill.slug, skill.name, skill.description).to_lowercase();
            let known = query.text.split(' ').filter(|word| text.contains(word)).count();
            let typos = usize::from(matches!(query.class, Class::NameTypo | Class::WordTypo));
            assert!(known + typos >= query.text.split(' ').count(), "{query:?} {text}");
        }
    }
}
