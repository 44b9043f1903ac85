//! The time of commands that people run all day, compared with a start of `true` and of
//! `git --version` in turn.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Failure;
use crate::effort::Effort;
use crate::numbers::{median, milliseconds};
use crate::program::{self, run};
use crate::table::{Bound, Row};
use crate::timed::timed;
use crate::world::{Size, World};

/// How often each command is run.
const RUNS: usize = 200;

/// How many skills the project has.
const SKILLS: usize = 50;

/// A command with its target in milliseconds.
struct Measured {
    what: &'static str,
    arguments: Vec<String>,
    most: f64,
    took: Vec<Duration>,
}

/// Measures each command in a project with 50 locked skills, from the files of a tree in a folder.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let [data, public, project] = ["data", "public", "project"].map(|name| scratch.join(name));
    World::of(Size { skills: effort.of(2_000), versions: 1, packages: true })?.copy_to(&data)?;
    let [data_option, out] = ["--data", "--out"].map(OsStr::new);
    run(&[OsStr::new("generate"), data_option, data.as_os_str(), out, public.as_os_str()])?;
    fs::create_dir(&project)?;
    let registry = format!("file://{}", public.display());
    let names = installable(&public)?;
    let mut install = vec!["install".to_owned()];
    install.extend(names);
    install.extend(["--registry".to_owned(), registry.clone()]);
    timed(ours(&project)?.args(install))?;
    let command = |what, words: &[&str], most| Measured {
        what,
        arguments: words.iter().map(ToString::to_string).collect(),
        most,
        took: Vec::new(),
    };
    let mut all = [
        command("`skillmirror --help`", &["--help"], 5.0),
        command("`list` of 50 skills", &["list"], 5.0),
        command("`search` in a folder", &["search", "data tables", "--registry", &registry], 15.0),
        command("`install` of 50 locked skills that are there", &["install", "--locked"], 50.0),
    ];
    let (mut nothing, mut git) = (Vec::new(), Vec::new());
    for turn in 0..=effort.of(RUNS) {
        let starts = [timed(&mut Command::new("true"))?, timed(Command::new("git").arg("--version"))?];
        for measured in &mut all {
            let took = timed(ours(&project)?.args(&measured.arguments))?;
            // The first turn warms up.
            measured.took.extend((turn > 0).then_some(took));
        }
        if turn > 0 {
            nothing.push(starts[0]);
            git.push(starts[1]);
        }
    }
    let of = |times: &[Duration]| median(times).map(milliseconds).ok_or("nothing was measured");
    let baseline = of(&git)?;
    let mut rows = Vec::new();
    for Measured { what, most, took, .. } in &all {
        rows.push(
            Row::of(*what, of(took)?, "ms").beside("`git --version`", baseline).bound(Bound::Most(*most)),
        );
    }
    rows.push(Row::of("— a start of `true`", of(&nothing)?, "ms"));
    Ok(rows)
}

/// The full names of the first skills in a tree.
fn installable(public: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for namespace in fs::read_dir(public.join("api/v1/skills"))? {
        let namespace = namespace?;
        // `_list` has pages of lists.
        if !namespace.file_type()?.is_dir() || namespace.file_name().as_encoded_bytes().starts_with(b"_") {
            continue;
        }
        for skill in fs::read_dir(namespace.path())? {
            let skill = skill?;
            if skill.file_type()?.is_dir() {
                let [namespace, slug] = [namespace.file_name(), skill.file_name()];
                names.push(format!("@{}/{}", namespace.display(), slug.display()));
            }
        }
    }
    names.sort();
    names.truncate(SKILLS);
    if names.len() == SKILLS { Ok(names) } else { Err("the tree has too few skills".into()) }
}

/// The program, in a project, with an empty home folder.
fn ours(project: &Path) -> Result<Command, Failure> {
    let mut command = Command::new(program::path()?);
    command.current_dir(project).env("HOME", project).env_remove("XDG_CONFIG_HOME");
    command.stderr(Stdio::null());
    Ok(command)
}
