//! Queries as people type them, with graded answers.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::Skill;
use super::engine::Engine;
use super::skillmirror::Skillmirror;
use crate::Failure;
use crate::world::Prose;

/// The program that asks the other engines and makes the table.
const PROGRAM: &str = "benches/search_anchors.py";

/// Answers of each query. The table counts twenty, or those that are left when it leaves some out.
const ANSWERS: usize = 100;

/// Body words that a publication keeps of a SKILL.md.
const MAX_BODY_WORDS: usize = 32;

/// A table of the relevance of all engines, for the judged skills among the others.
///
/// The file has a line for each query: kind, query and answers, with tabs between. The answers are
/// `namespace/slug=grade`, with blanks between. The program gets the file, and a folder with the skills
/// and with what ours answers.
///
/// Errors: `ANCHORS` does not name the folder with Python and the models.
pub(super) fn table(judged: Vec<Skill>, others: Vec<Skill>, file: &Path) -> Result<String, Failure> {
    let anchors = std::env::var_os("ANCHORS").map(PathBuf::from);
    let anchors = anchors.ok_or("the anchors are not installed: start this with benches/run")?;
    let judged_count = judged.len();
    let names: HashSet<_> = judged.iter().map(name).collect();
    let words: Vec<_> = judged.iter().flat_map(|skill| &skill.body_words).collect();
    let others = others.into_iter().filter(|skill| !names.contains(&name(skill))).zip(0..);
    let others = others.map(|(skill, number)| with_prose(skill, &mut Prose::of(number), &words));
    let skills: Vec<_> = judged.iter().cloned().chain(others).collect();
    let scratch = tempfile::tempdir()?;
    let lines = skills.iter().enumerate().map(|(number, skill)| {
        let Skill { slug, name: title, keywords, description, headings, prose, .. } = skill;
        json!({
            "key": name(skill), "judged": number < judged_count, "slug": slug, "name": title,
            "keywords": keywords.join("\n"), "description": description, "headings": headings.join("\n"),
            "prose": prose,
        })
    });
    write(&scratch.path().join("skills.jsonl"), lines)?;
    let ours = Skillmirror::with(&skills)?;
    let mut answers = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let query = line.split('\t').nth(1).ok_or_else(|| format!("{}: no query: {line}", file.display()))?;
        let found = ours.search(query, ANSWERS)?;
        let found: Vec<_> = found.iter().filter_map(|found| skills.get(found.number)).map(name).collect();
        let (requests, bytes) = ours.cold(query)?;
        answers.push(json!({ "query": query, "found": found, "requests": requests, "bytes": bytes }));
    }
    write(&scratch.path().join("answers.jsonl"), answers.into_iter())?;
    let program = Command::new(anchors.join("bin/python"))
        .arg(PROGRAM)
        .args([scratch.path(), file, &anchors])
        .output()?;
    if !program.status.success() {
        return Err(format!("{PROGRAM}: {}", String::from_utf8_lossy(&program.stderr)).into());
    }
    Ok(String::from_utf8(program.stdout)?)
}

/// A skill with a text of words that those of judged skills have, each as often as there: without any it would be
/// no rival for the words of a text.
fn with_prose(skill: Skill, chance: &mut Prose, words: &[&String]) -> Skill {
    let mut word = || words.get(chance.below(words.len())).map(|word| (*word).clone());
    let body_words: Vec<_> = (0..MAX_BODY_WORDS).filter_map(|_| word()).collect();
    Skill { prose: body_words.join(" "), body_words, ..skill }
}

fn name(skill: &Skill) -> String {
    format!("{}/{}", skill.namespace, skill.slug)
}

fn write(file: &Path, lines: impl Iterator<Item = serde_json::Value>) -> Result<(), Failure> {
    Ok(fs::write(file, lines.map(|line| format!("{line}\n")).collect::<String>())?)
}
