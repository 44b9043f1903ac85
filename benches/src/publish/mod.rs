//! The time until a publication is durable and visible, compared with bare writes of the same
//! files.

mod bare;
mod registry;
mod written;

use std::path::Path;
use std::time::Duration;

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{milliseconds, percentile};
use crate::table::{Bound, Row};
use crate::world::Size;
use bare::{Bare, Style};
use registry::Published;
use written::Written;

/// Rounds, of which the median counts.
const ROUNDS: usize = 5;

/// Publications to each registry in a round.
const PUBLICATIONS: usize = 2_000;

/// How long each publication of a round took, of one kind.
type Times = Vec<Duration>;

/// The four kinds of which one of each is measured in turn.
const KINDS: usize = 4;

/// Publishes alternately with few and with many skills there, and writes the
/// same bare.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let sizes = [1_000, effort.of(100_000)];
    let [few, many] = sizes.map(|skills| Size { skills, versions: 1 });
    let mut few = Published::start(few, &scratch.join("few"))?;
    let mut many = Published::start(many, &scratch.join("many"))?;
    let samples = [few.sample()?, many.sample()?];
    let [sample, _] = &samples;
    let mut bare = [Style::Overwritten, Style::Renamed].map(|style| Bare::new(style, &scratch.join("bare")));
    let mut rounds: [Vec<Times>; KINDS] = Default::default();
    for round in 0..ROUNDS {
        let mut times: [Times; KINDS] = Default::default();
        for number in 0..effort.of(PUBLICATIONS) {
            let seed = round * PUBLICATIONS + number;
            let [to_few, to_many, overwritten, renamed] = &mut times;
            to_few.push(few.publish(seed)?);
            to_many.push(many.publish(seed)?);
            let [first, second] = &mut bare;
            overwritten.push(first.write(sample)?);
            renamed.push(second.write(sample)?);
        }
        tell(round, &times);
        rounds.iter_mut().zip(times).for_each(|(all, times)| all.push(times));
    }
    let mut rows = rows(sizes, &rounds)?;
    rows.extend(documents("a version", sizes, &samples));
    rows.extend(documents("a new skill", sizes, &[few.sample_new()?, many.sample_new()?]));
    for (skills, registry) in sizes.into_iter().zip([few, many]) {
        let peak = registry.stop()?;
        rows.push(Row::of(
            format!("peak memory of the server with {skills} skills, after all of this"),
            peak,
            "MiB",
        ));
    }
    Ok(rows)
}

/// A round takes minutes: says what it found.
fn tell(round: usize, times: &[Times; KINDS]) {
    let kinds = ["few skills", "many skills", "bare, overwritten", "bare, renamed"];
    let found: Vec<_> = kinds
        .into_iter()
        .zip(times)
        .map(|(kind, times)| {
            let [p50, p95] =
                [50, 95].map(|percent| percentile(times, percent).map_or(f64::NAN, milliseconds));
            format!("{kind} {p50:.1} {p95:.1}")
        })
        .collect();
    eprintln!("round {} of {ROUNDS}, p50 and p95 in ms: {}", round + 1, found.join(", "));
}

/// The median over the rounds of a percentile of each round, in ms.
fn over_rounds(rounds: &[Times], percent: usize) -> Result<f64, Failure> {
    let each: Vec<f64> =
        rounds.iter().filter_map(|times| percentile(times, percent)).map(milliseconds).collect();
    percentile(&each, 50).ok_or_else(|| "nothing was measured".into())
}

fn rows(sizes: [usize; 2], rounds: &[Vec<Times>; KINDS]) -> Result<Vec<Row>, Failure> {
    let [few, many, overwritten, renamed] = rounds;
    let mut rows = Vec::new();
    for (skills, times) in sizes.into_iter().zip([few, many]) {
        for percent in [50, 95, 99] {
            let measured = over_rounds(times, percent)?;
            let bound = if percent == 50 { Bound::Ratio(4.0) } else { Bound::None };
            let row = Row::of(format!("publish, {skills} skills, p{percent}"), measured, "ms");
            rows.push(row.beside("bare, overwritten", over_rounds(overwritten, percent)?).bound(bound));
            if percent == 50 {
                let row = Row::of("— the same", measured, "ms");
                rows.push(row.beside("bare, renamed", over_rounds(renamed, percent)?));
            }
        }
    }
    let row = Row::of("publish, many skills, p95", over_rounds(many, 95)?, "ms");
    rows.push(row.beside("few skills", over_rounds(few, 95)?).bound(Bound::Ratio(1.2)));
    Ok(rows)
}

fn documents(of: &str, sizes: [usize; 2], samples: &[Written; 2]) -> Vec<Row> {
    let row = |(skills, sample): (usize, &Written)| {
        let what = format!(
            "documents written by one publish of {of}, {skills} skills ({} names of packages, {} precomputed results; besides, {} siblings; {} bytes in all)",
            sample.links,
            sample.answers,
            sample.siblings,
            sample.bytes()
        );
        Row::of(what, sample.documents() as f64, "").bound(Bound::Most(150.0))
    };
    sizes.into_iter().zip(samples).map(row).collect()
}
