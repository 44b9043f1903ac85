//! Queries as people type them, whose answers people have judged.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::Skill;
use super::engine::Engine;
use super::engines::Engines;
use super::query::{Half, queries};
use crate::Failure;

/// Number of results of which the first useful one counts.
const FIRST: usize = 10;
/// Number of results of which all useful ones count.
const SEEN: usize = 20;
/// The grade from which a skill is a good answer.
const GOOD: u8 = 2;

/// A query with the grades of its answers.
struct JudgedQuery {
    kind: String,
    text: String,
    /// The numbers of the skills, each with a grade: 1 related, 2 useful, 3 wanted.
    grades: BTreeMap<usize, u8>,
}

/// Sums over some queries.
#[derive(Default, Clone, Copy)]
struct Sum {
    queries: usize,
    reciprocals: f64,
    recall: f64,
}

/// A table of the results of all engines.
///
/// The file has a line for each query: kind, query and answers, with tabs between. The answers are
/// `namespace/slug=grade`, with blanks between. MRR@10 counts the first good answer (grade 2, or the
/// best grade of the query if that is lower), recall@20 all answers, of at most 20.
pub(super) fn table(skills: &[Skill], file: &Path) -> Result<String, Failure> {
    let judged = read(skills, file)?;
    let mut engines = Engines::with(skills)?;
    let settings = engines.prepare(&queries(skills, Half::Tuning, 4))?;
    let mut sums = BTreeMap::<&str, [Sum; 3]>::new();
    for query in &judged {
        for (number, engine) in engines.all().into_iter().enumerate() {
            let found = ask(engine, query)?;
            for kind in [query.kind.as_str(), "~all"] {
                let sum = &mut sums.entry(kind).or_default()[number];
                sum.queries += 1;
                sum.reciprocals += found.0;
                sum.recall += found.1;
            }
        }
    }
    let mut text = format!("**{} skills**; {}.\n\n", skills.len(), settings.title());
    text += "| kind | queries | MRR@10: ours | FTS5 | tantivy | recall@20: ours | FTS5 | tantivy |\n";
    text += "|---|---|---|---|---|---|---|---|\n";
    for (kind, sums) in sums {
        let of = |value: fn(&Sum) -> f64| {
            let means = sums.map(|sum| format!("{:.3}", value(&sum) / sum.queries as f64));
            means.join(" | ")
        };
        let (first, all) = (of(|sum| sum.reciprocals), of(|sum| sum.recall));
        writeln!(text, "| {} | {} | {first} | {all} |", kind.trim_start_matches('~'), sums[0].queries)?;
    }
    Ok(text)
}

fn read(skills: &[Skill], file: &Path) -> Result<Vec<JudgedQuery>, Failure> {
    let names = skills.iter().enumerate();
    let numbers: BTreeMap<_, _> =
        names.map(|(number, skill)| (format!("{}/{}", skill.namespace, skill.slug), number)).collect();
    let mut judged = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let [kind, text, answers] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{}: not three columns: {line}", file.display()).into());
        };
        let grade = |answer: &str| {
            let (name, grade) = answer.rsplit_once('=')?;
            Some((*numbers.get(name)?, grade.parse().ok()?))
        };
        let grades: BTreeMap<_, _> = answers.split_whitespace().filter_map(grade).collect();
        if !grades.is_empty() {
            judged.push(JudgedQuery { kind: kind.to_owned(), text: text.to_owned(), grades });
        }
    }
    Ok(judged)
}

/// One divided by the place of the first good answer, and the share of all answers that were seen.
fn ask(engine: &dyn Engine, query: &JudgedQuery) -> Result<(f64, f64), Failure> {
    let found = engine.search(&query.text, SEEN)?;
    let grade = |place: usize| found.get(place).and_then(|found| query.grades.get(&found.number)).copied();
    let good = query.grades.values().max().map_or(GOOD, |best| GOOD.min(*best));
    let first = (0..FIRST).find(|place| grade(*place).is_some_and(|grade| grade >= good));
    if std::env::var_os("SHOW").is_some() && engine.name() == "Skillmirror" {
        let names: Vec<_> = found
            .iter()
            .enumerate()
            .map(|(at, found)| {
                format!("{}{}", grade(at).map_or(String::new(), |grade| format!("{grade}:")), found.slug)
            })
            .collect();
        eprintln!("{}\t{}\t{:?}\t{}", query.kind, query.text, first, names.join(" "));
    }
    let seen = (0..found.len()).filter(|place| grade(*place).is_some()).count();
    let reciprocal = first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
    Ok((reciprocal, seen as f64 / query.grades.len().min(SEEN) as f64))
}
