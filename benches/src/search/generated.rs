//! Generates any number of skills from the words of a few.

use super::skill::Skill;
use super::words::{is_telling, words};
use crate::world::{Prose, namespace};

/// Words of a description.
const LENGTH: usize = 14;

/// `count` skills that are made of the words of `models`, each as often as there;
/// of the words of worlds where there are no models. The same every time.
pub(super) fn make(models: &[Skill], count: usize) -> Vec<Skill> {
    let of = |text: fn(&Skill) -> &str| -> Vec<String> {
        models.iter().flat_map(|skill| words(text(skill))).collect()
    };
    let names: Vec<_> = of(|skill| &skill.slug).into_iter().filter(|word| is_slug(word)).collect();
    let names: Vec<_> = names.into_iter().filter(|word| is_telling(word)).collect();
    let prose = of(|skill| &skill.description);
    (0..count).map(|number| skill(number, &names, &prose)).collect()
}

fn is_slug(word: &str) -> bool {
    word.len() <= 20 && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

fn skill(number: usize, names: &[String], prose: &[String]) -> Skill {
    let mut chance = Prose::of(number as u64 ^ 0x6d61_6465);
    let mut one_of = |from: &[String]| match from.get(chance.below(from.len())) {
        Some(word) => word.clone(),
        None => chance.word().to_owned(),
    };
    let slug = format!("{}-{}-{number}", one_of(names), one_of(names));
    let description = (0..LENGTH).map(|_| one_of(prose)).collect::<Vec<_>>().join(" ");
    Skill {
        namespace: namespace(number),
        name: slug.clone(),
        slug,
        keywords: Vec::new(),
        description,
        headings: Vec::new(),
        body_words: Vec::new(),
        prose: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_made_of_anything() {
        let first = make(&[], 50);
        assert_eq!(first, make(&[], 50));
        assert!(make(&first, 9).iter().all(|skill| skill.description.split(' ').count() == LENGTH));
    }
}
