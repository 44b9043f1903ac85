//! The time until a publication is durable and visible, compared with bare writes of the same
//! files.

mod bare;
mod registry;
mod verdaccio;
mod written;

use std::path::Path;
use std::time::Duration;

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{milliseconds, percentile};
use crate::table::{Bound, Row};
use crate::world::Size;
use bare::{Bare, Style};
use generator::address::Tier;
use registry::{AtOnce, Published, ask_at_once};
use verdaccio::Verdaccio;
use written::Written;

/// Rounds, of which the median counts.
const ROUNDS: usize = 5;

/// Publications to each registry in a round.
const PUBLICATIONS: usize = 1_000;

/// Publications one after the other before the next kind has its turn: those of one kind must not
/// pay for the lists of another.
const IN_A_ROW: usize = 100;

/// Publications at once, and how many connections they use.
const AT_ONCE: [usize; 2] = [1_000, 32];

/// How long each publication of a round took, of one kind.
type Times = Vec<Duration>;

/// The kinds of which each is measured in turn: two registries, two ways of bare writes, and
/// Verdaccio.
const KINDS: usize = 5;

/// Publishes alternately with few and with many skills there, and writes the documents of the skill
/// bare.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let sizes = [1_000, effort.of(20_000)];
    let [few, many] = sizes.map(|skills| Size { skills, versions: 1, packages: true });
    let mut few = Published::start(few, &scratch.join("few"))?;
    let mut many = Published::start(many, &scratch.join("many"))?;
    let own = [few.sample(&[Tier::Own])?, many.sample(&[Tier::Own])?];
    let [sample, _] = &own;
    let mut bare = [Style::Overwritten, Style::Renamed].map(|style| Bare::new(style, &scratch.join("bare")));
    let mut verdaccio = Verdaccio::start(&scratch.join("verdaccio"))?;
    let archive = usize::try_from(sample.blob)?;
    let mut rounds: [Vec<Times>; KINDS] = Default::default();
    for round in 0..ROUNDS {
        let mut times: [Times; KINDS] = Default::default();
        let numbers: Vec<_> = (0..effort.of(PUBLICATIONS)).collect();
        for row in numbers.chunks(IN_A_ROW) {
            let [to_few, to_many, overwritten, renamed, to_verdaccio] = &mut times;
            let [first, second] = &mut bare;
            for number in row {
                to_few.push(few.publish(round * PUBLICATIONS + number)?);
            }
            for number in row {
                to_many.push(many.publish(round * PUBLICATIONS + number)?);
            }
            for _ in row {
                overwritten.push(first.write(sample)?);
                renamed.push(second.write(sample)?);
            }
            if let Some(verdaccio) = &mut verdaccio {
                for number in row {
                    to_verdaccio.push(verdaccio.publish(round * PUBLICATIONS + number, archive)?);
                }
            }
        }
        tell(round, &times);
        rounds.iter_mut().zip(times).for_each(|(all, times)| all.push(times));
    }
    let mut rows = rows(sizes, &rounds)?;
    let both = [Tier::Own, Tier::Shared];
    rows.extend(files("a version until the answer", sizes, &own, 20.0));
    rows.extend(files("a version until the head", sizes, &[few.sample(&both)?, many.sample(&both)?], 80.0));
    let new = [few.sample_new(&both)?, many.sample_new(&both)?];
    rows.extend(files("a new skill until the head", sizes, &new, 80.0));
    let [publications, connections] = AT_ONCE;
    for (skills, registry) in sizes.into_iter().zip([&mut few, &mut many]) {
        let AtOnce { a_second, files } =
            registry.publish_at_once(2_000_000, effort.of(publications), connections)?;
        let what = format!("publications of new skills a second, {connections} at once, {skills} skills");
        rows.push(Row::of(what, a_second, "/s"));
        rows.push(
            Row::of("— files written for each of them until the head", files, "").bound(Bound::Most(30.0)),
        );
    }
    if let Some(verdaccio) = &verdaccio {
        let requests: Vec<_> = (0..effort.of(publications))
            .map(|number| verdaccio::publication(verdaccio.address, 1_000_000 + number, archive))
            .collect();
        let took = ask_at_once(verdaccio.address, &requests, connections)?;
        let a_second = requests.len() as f64 / took.as_secs_f64();
        rows.push(Row::of(format!("— the same of Verdaccio 6, {connections} at once"), a_second, "/s"));
    }
    drop(verdaccio.take());
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
    let kinds = ["few skills", "many skills", "bare, overwritten", "bare, renamed", "Verdaccio"];
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
    let [few, many, overwritten, renamed, verdaccio] = rounds;
    let mut rows = Vec::new();
    for (skills, times) in sizes.into_iter().zip([few, many]) {
        for percent in [50, 95, 99] {
            let measured = over_rounds(times, percent)?;
            let bound = if percent == 50 { Bound::Ratio(2.0) } else { Bound::None };
            let row = Row::of(format!("publish, {skills} skills, p{percent}"), measured, "ms");
            rows.push(row.beside("bare, overwritten", over_rounds(overwritten, percent)?).bound(bound));
            if percent == 50 {
                let row = Row::of("— the same", measured, "ms");
                rows.push(row.beside("bare, renamed", over_rounds(renamed, percent)?));
                // Not measured if it is not installed.
                if let Ok(beside) = over_rounds(verdaccio, percent) {
                    let row = Row::of("— the same", measured, "ms").beside("Verdaccio 6", beside);
                    rows.push(row.bound(Bound::Ratio(1.0)));
                }
            }
        }
    }
    let row = Row::of("publish, many skills, p95", over_rounds(many, 95)?, "ms");
    rows.push(row.beside("few skills", over_rounds(few, 95)?).bound(Bound::Ratio(1.3)));
    Ok(rows)
}

fn files(of: &str, sizes: [usize; 2], samples: &[Written; 2], most: f64) -> Vec<Row> {
    let row = |(skills, sample): (usize, &Written)| {
        let what = format!(
            "files written for {of}, {skills} skills ({} names of packages, {} precomputed results, {} siblings; {} bytes in all)",
            sample.links,
            sample.answers,
            sample.siblings,
            sample.bytes()
        );
        Row::of(what, sample.files() as f64, "").bound(Bound::Most(most))
    };
    sizes.into_iter().zip(samples).map(row).collect()
}
