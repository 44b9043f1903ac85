//! `skillmirror audit`: lists who did what, and when.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Args;
use registry::Registry;
use registry::audit::{AuditFilter, Entry};
use registry::names::Handle;

use crate::Failure;
use crate::arguments::skill_argument::SkillName;
use crate::arguments::time_arg::TimeArg;
use crate::config::Config;
use crate::output::{Printer, escape_json, escape_line, print_error};
use crate::storage::stores::open_storage;

/// List who did what and when
#[derive(Args)]
#[command(after_help = "
    audit --since 7d                  # What happened in the last week
    audit --user ann                  # What ann did
    audit --skill @tools/lint --json  # One skill, for programs
")]
pub struct Arguments {
    /// Only actions of this user, and on their account and memberships
    #[arg(long, value_name = "HANDLE")]
    user: Option<Handle>,
    /// Only actions on this skill: hello, @namespace/hello or namespace--hello
    #[arg(long, value_name = "SKILL")]
    skill: Option<SkillName>,
    /// Only actions since this time: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for the last seven days
    #[arg(long, value_name = "TIME")]
    since: Option<TimeArg>,
}

/// Runs the command.
pub fn run(config: &Config, arguments: Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let Arguments { user, skill, since } = arguments;
    let skill = skill.map(|SkillName(coordinate)| coordinate);
    let since = since.map(|TimeArg(at)| at);
    let filter = AuditFilter { user, skill, since, ..AuditFilter::default() };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut is_any = false;
    let done = Registry::open(open_storage(config)?)?.audit::<Failure>(&filter, |entry| {
        // One document, written as the rows are read.
        if printer.as_json {
            let separator = if is_any { "," } else { "{\"items\":[" };
            write!(out, "{separator}\n{}", escape_json(serde_json::to_string(&entry)?))?;
        } else {
            print(&mut out, &entry)?;
        }
        is_any = true;
        Ok(())
    });
    let end = match (printer.as_json, is_any) {
        (false, _) => "",
        (true, true) => "\n]}\n",
        (true, false) => "{\"items\":[]}\n",
    };
    match done.and_then(|()| Ok(out.write_all(end.as_bytes()).and_then(|()| out.flush())?)) {
        // The reader has closed the pipe, because it has read enough.
        Err(why) if is_closed_pipe(&*why) => Ok(ExitCode::SUCCESS),
        Ok(()) if !is_any => {
            print_error("no matching entry in the journal");
            Ok(ExitCode::SUCCESS)
        }
        done => done.map(|()| ExitCode::SUCCESS),
    }
}

fn is_closed_pipe(why: &(dyn std::error::Error + 'static)) -> bool {
    why.downcast_ref::<io::Error>().is_some_and(|why| why.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints one line for each action of a row.
fn print(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let Entry { revision, at, actor, token, session, request, acts } = entry;
    let who = actor.as_ref().map_or("the operator", |handle| handle.as_str());
    let with = match (token, session) {
        (Some(token), _) => format!(" [token {token}]"),
        (None, Some(session)) => format!(" [session {session}]"),
        (None, None) => String::new(),
    };
    let request = request.as_ref().map(|request| format!(" [request {request}]")).unwrap_or_default();
    for act in acts {
        writeln!(out, "{at} {revision} {who} {}{with}{request}", escape_line(&act.what))?;
    }
    Ok(())
}
