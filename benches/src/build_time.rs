//! Time, processor time and size of a build as a newcomer makes it: from an empty target folder, with
//! the default features.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::process::cpu_seconds_of_children;
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::memory::VARIABLE;

/// Builds it once. The crates are downloaded by then: `benches/run` has built this program.
pub fn measure(scratch: &Path) -> Result<Vec<Row>, Failure> {
    let [target, stripped] = ["target", "stripped"].map(|name| scratch.join(name));
    let before = cpu_seconds_of_children()?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "--release", "--target-dir"]).arg(&target);
    let took = timed(cargo.env_remove(VARIABLE))?;
    let minutes = [took.as_secs_f64(), cpu_seconds_of_children()? - before].map(|seconds| seconds / 60.0);
    let program = target.join("release/skillmirror");
    timed(Command::new("strip").arg("-o").args([&stripped, &program]))?;
    let megabytes = |file: &Path| Ok::<_, Failure>(fs::metadata(file)?.len() as f64 / 1e6);
    Ok(vec![
        Row::of("time", minutes[0], "min").bound(Bound::Most(5.1)),
        Row::of("processor time", minutes[1], "min").bound(Bound::Most(10.0)),
        Row::of("program", megabytes(&program)?, "MB").bound(Bound::Most(60.0)),
        Row::of("program, stripped", megabytes(&stripped)?, "MB").bound(Bound::Most(18.0)),
    ])
}
