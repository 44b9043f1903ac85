//! What search knows about languages: stop words, common words, particles, synonyms.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::stem;

/// The lists, which `search.js` reads too.
const FILE: &str = include_str!("../../../../site-template/assets/search/language.js");

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Lists {
    stop_words: Vec<String>,
    common_words: Vec<String>,
    particles: Vec<String>,
    words_with_particles: Vec<String>,
    synonyms: Vec<String>,
}

struct Language {
    stop_words: HashSet<String>,
    common_words: HashSet<String>,
    /// Particles, and words that contain one and are kept; the longest first.
    particles: Vec<Particle>,
    /// The root of each stem that has another one.
    roots: HashMap<String, String>,
    /// Compounds of which the two words are written apart in the list of synonyms.
    phrases: HashSet<String>,
}

struct Particle {
    text: String,
    is_kept: bool,
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| {
    let lists: Lists = json(FILE);
    let words = |lines: &[String]| -> Vec<String> {
        lines.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect()
    };
    let set = |lines| words(lines).into_iter().collect();
    let entries = |lines, is_kept| words(lines).into_iter().map(move |text| Particle { text, is_kept });
    let mut particles: Vec<_> =
        entries(&lists.particles, false).chain(entries(&lists.words_with_particles, true)).collect();
    particles.sort_by_key(|particle| std::cmp::Reverse(particle.text.chars().count()));
    let (mut roots, mut phrases) = (HashMap::new(), HashSet::new());
    for group in &lists.synonyms {
        let members: Vec<String> = group.split(", ").map(|member| member.replace(' ', "")).collect();
        let root = stem(&members[0]);
        roots.extend(members.iter().map(|member| (stem(member), root.clone())));
        phrases.extend(
            group.split(", ").filter(|member| member.contains(' ')).map(|member| member.replace(' ', "")),
        );
    }
    Language {
        stop_words: set(&lists.stop_words),
        common_words: set(&lists.common_words),
        particles,
        roots,
        phrases,
    }
});

/// The lists in a file. Tests read each file, so that none is damaged.
pub(super) fn json<T: DeserializeOwned + Default>(file: &str) -> T {
    let json = file.trim_end().strip_prefix("export default ").and_then(|rest| rest.strip_suffix(';'));
    serde_json::from_str(json.unwrap_or_default()).unwrap_or_default()
}

/// Whether a word says nothing about a skill.
pub fn is_stop_word(word: &str) -> bool {
    LANGUAGE.stop_words.contains(word)
}

/// Whether a word occurs in so many skills that a long query asks for others first.
pub fn is_common_word(word: &str) -> bool {
    LANGUAGE.common_words.contains(word)
}

/// Whether two words that are written as one are a synonym of another word.
pub fn is_phrase(compound: &str) -> bool {
    LANGUAGE.phrases.contains(compound)
}

/// What a word has in common with its other forms and its synonyms.
pub fn root(word: &str) -> String {
    let stem = stem(word);
    LANGUAGE.roots.get(&stem).cloned().unwrap_or(stem)
}

/// A text with a blank in place of each particle of Chinese, Japanese and Korean, except in words
/// that are not made with it.
pub fn without_particles(text: &str) -> String {
    let (mut left, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let mut particles = LANGUAGE.particles.iter().filter(|_| !first.is_ascii());
        let found = particles.find(|particle| rest.starts_with(&particle.text));
        let length = found.map_or(first.len_utf8(), |particle| particle.text.len());
        let (start, end) = rest.split_at(length);
        left.push_str(if found.is_some_and(|particle| !particle.is_kept) { " " } else { start });
        rest = end;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        assert!(is_stop_word("your") && is_stop_word("a") && !is_stop_word("pdf"));
        assert!(is_common_word("data") && !is_common_word("pdf"));
        assert_eq!(root("pictures"), root("image"));
        assert_eq!(root("converting"), "convert");
        assert!(is_phrase("worddocument") && !is_phrase("docx"));
        assert_eq!(root("worddocument"), root("docx"));
        assert_eq!(without_particles("请帮我转换图片的格式"), " 转换图片 格式");
        assert_eq!(without_particles("发送请求的目的地, please"), "发送请求 目的地, please");
    }

    #[test]
    fn words_with_particles_contain_one() {
        let (kept, particles): (Vec<_>, Vec<_>) =
            LANGUAGE.particles.iter().partition(|particle| particle.is_kept);
        assert!(!kept.is_empty());
        for word in kept {
            let is_in = |particle: &&Particle| word.text.contains(&particle.text);
            assert!(particles.iter().any(is_in), "{}", word.text);
        }
    }

    #[test]
    fn synonyms_are_in_one_group_of_at_most_two_hundred() {
        let lists: Lists = json(FILE);
        assert!((100..=200).contains(&lists.synonyms.len()));
        let mut known = HashMap::new();
        for group in &lists.synonyms {
            let stems: HashSet<_> = group.split(", ").map(|member| stem(&member.replace(' ', ""))).collect();
            for stem in stems {
                let other = known.insert(stem.clone(), group);
                assert_eq!(other, None, "{stem} is in two groups");
            }
            assert!(group.split(", ").all(|member| member.split(' ').count() <= 2), "{group}");
        }
    }
}
