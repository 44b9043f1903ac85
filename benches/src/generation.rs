//! The time of a full generation, compared with `tar x` of the same tree.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{mebibytes, median};
use crate::program::{Finished, run};
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::{Size, World};

/// Rounds, of which the median counts.
const ROUNDS: usize = 3;

/// Generates and unpacks in turn.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for skills in [effort.of(2_000), effort.of(20_000)] {
        rows.extend(at(skills, &scratch.join(skills.to_string()))?);
    }
    Ok(rows)
}

fn at(skills: usize, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let world = World::of(Size { skills, versions: 1, packages: true })?;
    let [data, public, tar] = ["data", "public", "tree.tar"].map(|name| scratch.join(name));
    fs::create_dir(scratch)?;
    world.copy_to(&data)?;
    generate(&data, &public)?;
    timed(Command::new("tar").arg("-cf").arg(&tar).arg("-C").arg(&public).arg("."))?;
    let (mut generated, mut unpacked, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        clear(&public)?;
        let ran = generate(&data, &public)?;
        generated.push(ran.took.as_secs_f64());
        peaks.push(mebibytes(ran.peak));
        clear(&public)?;
        unpacked.push(unpack(&tar, &public)?.as_secs_f64());
    }
    let none = "nothing was measured";
    let row = Row::of(format!("full generation, {skills} skills"), median(&generated).ok_or(none)?, "s");
    let row = row.beside("`tar x`", median(&unpacked).ok_or(none)?).bound(Bound::Ratio(1.5));
    Ok(vec![row, Row::of("— its peak memory", median(&peaks).ok_or(none)?, "MiB")])
}

fn generate(data: &Path, public: &Path) -> Result<Finished, Failure> {
    let [generate, data_at, out] = ["generate", "--data", "--out"].map(OsStr::new);
    run(&[generate, data_at, data.as_os_str(), out, public.as_os_str()])
}

/// Removes the last tree and its state folder, and waits until the disk is done, so that the next
/// measurement does not pay for it.
fn clear(public: &Path) -> Result<(), Failure> {
    timed(Command::new("rm").arg("-rf").arg(public).arg(public.with_extension("state")))?;
    rustix::fs::sync();
    Ok(())
}

/// The archive was written just now and is in the page cache, as the journal is.
fn unpack(tar: &Path, to: &Path) -> Result<Duration, Failure> {
    fs::create_dir(to)?;
    let start = Instant::now();
    timed(Command::new("tar").arg("-xf").arg(tar).arg("-C").arg(to))?;
    // As `generate`, which ends when the file system has it.
    rustix::fs::syncfs(fs::File::open(to)?)?;
    Ok(start.elapsed())
}
