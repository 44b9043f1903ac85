//! The relevance, speed and memory of the search, compared with SQLite's full-text search and
//! tantivy.

mod catalog;
mod class;
mod corpus;
mod engine;
mod engines;
mod fts5;
mod generated;
mod judged;
mod memory;
mod package_list;
mod query;
mod relevance;
mod relevance_table;
mod remembered;
mod requests;
mod skill;
mod skillmirror;
#[cfg(feature = "tantivy")]
mod tantivy;
mod times;
mod typo;
mod weights;
mod words;

use std::path::{Path, PathBuf};

use crate::Failure;
use crate::effort::Effort;
use crate::table::table;
use engines::{Engines, Settings};
use query::{Query, queries};

pub use query::Half;
pub use skill::Skill;

/// Queries of each kind for each skill of the corpus.
const EACH_OF_THE_CORPUS: usize = 4;

/// Skills of the second table, and of the first times.
const FEW: usize = 2_000;

/// Skills of the second times, and of the memory.
const MANY: usize = 100_000;

/// Skills of the list that are added to the judged ones in the second table.
const DISTRACTORS: usize = 20_000;

/// The least number of queries that are timed.
const TIMED: usize = 2_200;

/// The settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// How thorough it is.
    pub effort: Effort,
    /// The queries to measure.
    pub half: Half,
    /// The list of names and summaries.
    pub names: Option<&'a Path>,
}

/// Measures everything. With the tuning half, only the tables of relevance.
pub fn measure(run: &Options<'_>) -> Result<String, Failure> {
    let corpus = read_corpus()?;
    let (few, many) = (run.effort.of(FEW), run.effort.of(MANY));
    let make = |count| match run.names {
        Some(file) => package_list::read(file, count),
        None => Ok(generated::make(corpus.as_deref().unwrap_or_default(), count)),
    };
    let skills = make(few)?;
    // Measure memory first, before freed memory distorts it.
    let larger = (run.half == Half::HeldOut).then(|| make(many)).transpose()?;
    let memory = larger.as_deref().map(memory::row).transpose()?;
    let mut text = match &corpus {
        Some(corpus) => compare(run.half, "skills of the corpus", corpus, EACH_OF_THE_CORPUS)?.text,
        None => "`SKILLMIRROR_CORPUS` is not set: relevance in the corpus was not measured.\n\n".to_owned(),
    };
    let Compared { mut engines, text: more, settings } = compare(run.half, "skills of the list", &skills, 1)?;
    text += &more;
    if let (Some(larger), Some(memory)) = (larger, memory) {
        let mut rows = times::rows(&engines, few, &timed(&skills))?;
        engines = Engines::with(&larger)?;
        engines.set(&settings);
        rows.extend(times::rows(&engines, many, &timed(&larger))?);
        rows.push(memory);
        rows.extend(requests::rows(&larger, &timed(&larger))?);
        text += &table(&rows);
    }
    Ok(text)
}

/// Measures the queries of a file in the corpus, to which `distractors` skills of the list are added. None: without
/// any, and if there is a list, also with 20,000.
pub fn measure_judged(
    file: &Path,
    distractors: Option<usize>,
    names: Option<&Path>,
    effort: Effort,
) -> Result<String, Failure> {
    let corpus = read_corpus()?.ok_or("the judged queries are for the corpus: set SKILLMIRROR_CORPUS")?;
    let counts = match (distractors, names) {
        (Some(count), _) => vec![count],
        (None, Some(_)) => vec![0, effort.of(DISTRACTORS)],
        (None, None) => vec![0],
    };
    let tables = counts.into_iter().map(|count| {
        let (others, title) = match (count, names) {
            (0, _) => (Vec::new(), "The corpus alone".to_owned()),
            (_, None) => return Err("other skills come from a list: set --names".into()),
            (_, Some(names)) => (package_list::read(names, count)?, format!("With {count} other skills")),
        };
        let table = judged::table(corpus.clone(), others, file)?;
        Ok(format!("**{title}**\n\n{table}"))
    });
    Ok(tables.collect::<Result<Vec<_>, Failure>>()?.join("\n"))
}

fn read_corpus() -> Result<Option<Vec<Skill>>, Failure> {
    let corpus = std::env::var_os("SKILLMIRROR_CORPUS").map(PathBuf::from);
    corpus.map(|folder| corpus::read(&folder)).transpose()
}

struct Compared {
    engines: Engines,
    settings: Settings,
    text: String,
}

/// Makes engines of skills and compares them. The settings of the others are chosen by the tuning half,
/// whichever half counts.
fn compare(half: Half, of_what: &str, skills: &[Skill], each: usize) -> Result<Compared, Failure> {
    let mut engines = Engines::with(skills)?;
    let settings = engines.prepare(&queries(skills, Half::Tuning, each))?;
    let table = relevance_table::table(&engines, half, &queries(skills, half, each))?;
    let head = format!("**{} {of_what}**; {}.", skills.len(), settings.title());
    Ok(Compared { engines, settings, text: format!("{head}\n\n{table}\n") })
}

/// About as many of each kind as of any other, spread over the skills.
fn timed(skills: &[Skill]) -> Vec<Query> {
    let all = queries(skills, Half::HeldOut, 4);
    let step = (all.len() / TIMED).max(1);
    all.into_iter().step_by(step).collect()
}
