//! Rows, one after the other, compared with `pgbench` that inserts as many bytes.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use postgres_store::{Database as Opened, PostgresJournal, Roots};
use registry::journal::{Journal, PublicRow, Row as JournalRow};
use registry::time::Timestamp;

use super::database::Database;
use crate::Failure;
use crate::effort::Effort;
use crate::numbers::median;
use crate::table::{Bound, Row};

/// Rows in a round.
const ROWS: usize = 2_000;

/// Rounds in turn, of which the median counts.
const ROUNDS: usize = 5;

/// Bytes of the two halves of a row, as a publication of the median package has.
const PRIVATE: usize = 400;
const PUBLIC: usize = 2_000;

/// A row may take as long as a bare one divided by 0.7.
const MOST: f64 = 1.43;

const TABLE: &str =
    "CREATE TABLE bare(revision bigserial PRIMARY KEY, at bigint NOT NULL, private bytea NOT NULL,
                     public bytea, chain bytea NOT NULL)";
const INSERT: &str = "INSERT INTO bare(at, private, public, chain)
                      VALUES (1, :private::bytea, :public::bytea, :chain::bytea);\n";

/// Appends and inserts in turn.
pub fn measure(effort: Effort, database: &Database) -> Result<Vec<Row>, Failure> {
    let rows = effort.of(ROWS);
    let opened = Opened::open(database.make("rows")?.parse()?, &Roots::Builtin)?;
    let journal = PostgresJournal::new(opened.into());
    database.sql("rows", TABLE)?;
    let script = database.folder.join("insert.sql");
    std::fs::write(&script, INSERT)?;
    let (mut ours, mut bare, mut prepared) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let start = Instant::now();
        for number in 0..rows {
            journal.append(&row((round * rows + number + 1) as u64)?)?;
        }
        ours.push(start.elapsed().as_secs_f64() * 1e3 / rows as f64);
        for (mode, times) in [("extended", &mut bare), ("prepared", &mut prepared)] {
            let start = Instant::now();
            bench(database, &script, mode, rows)?;
            times.push(start.elapsed().as_secs_f64() * 1e3 / rows as f64);
        }
    }
    let [ours, bare, prepared] =
        [median(&ours), median(&bare), median(&prepared)].map(|found| found.ok_or("nothing was measured"));
    let (ours, bare) = (ours?, bare?);
    Ok(vec![
        Row::of("a row of the journal", ours, "ms")
            .beside("`pgbench`, one insert", bare)
            .bound(Bound::Ratio(MOST)),
        Row::of("— with a prepared insert", ours, "ms").beside("`pgbench`, one prepared insert", prepared?),
    ])
}

/// Inserts so many rows with `pgbench`, which sends statements in this mode.
fn bench(database: &Database, script: &Path, mode: &str, rows: usize) -> Result<(), Failure> {
    let mut pgbench = database.client("pgbench");
    pgbench.args(["-n", "-M", mode, "-c", "1", "-t", &rows.to_string(), "-f"]).arg(script);
    for (name, length) in [("private", PRIVATE), ("public", PUBLIC), ("chain", 32)] {
        pgbench.args(["-D", &format!("{name}={}", "x".repeat(length))]);
    }
    let done = pgbench.arg("rows").stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    match done.success() {
        true => Ok(()),
        false => Err(format!("pgbench ended with {done}").into()),
    }
}

fn row(revision: u64) -> Result<JournalRow, Failure> {
    let at = Timestamp::from_unix(1_769_860_800).ok_or("there is no such time")?;
    let text = |length: usize| format!("{{\"n\":{revision},\"text\":\"{}\"}}", "x".repeat(length));
    let public = Some(PublicRow::new(revision, text(PUBLIC)));
    Ok(JournalRow { revision, at, private: text(PRIVATE), public })
}
