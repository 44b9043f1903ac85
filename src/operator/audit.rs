//! `skillmirror audit`: who did what and when.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Args;
use registry::audit::{AuditFilter, Entry, audit};
use registry::names::{Coordinate, Handle};

use crate::Failure;
use crate::config::Config;
use crate::open_registry::open_journal;
use crate::time_arg::TimeArg;

/// What to list.
#[derive(Args)]
pub struct Arguments {
    /// Only what this user did, and what was done to their account and memberships
    #[arg(long, value_name = "HANDLE")]
    user: Option<Handle>,
    /// Only what was done to this skill: `slug` in global, else `namespace--slug`
    #[arg(long, value_name = "SKILL")]
    skill: Option<Coordinate>,
    /// Only what was done then or later: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for the last seven days
    #[arg(long, value_name = "TIME")]
    since: Option<TimeArg>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(config: &Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { user, skill, since, json } = arguments;
    let filter = AuditFilter { user, skill, since: since.map(|TimeArg(at)| at) };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut is_any = false;
    let done = audit::<Failure>(&open_journal(config)?, &filter, |entry| {
        is_any = true;
        if json {
            serde_json::to_writer(&mut out, &entry)?;
            writeln!(out)?;
        } else {
            print(&mut out, &entry)?;
        }
        Ok(())
    });
    match done.and_then(|()| Ok(out.flush()?)) {
        // Whoever reads has read enough.
        Err(why) if is_closed_pipe(&*why) => Ok(ExitCode::SUCCESS),
        Ok(()) if !is_any => {
            eprintln!("skillmirror: nothing of that is in the journal");
            Ok(ExitCode::SUCCESS)
        }
        done => done.map(|()| ExitCode::SUCCESS),
    }
}

fn is_closed_pipe(why: &(dyn std::error::Error + 'static)) -> bool {
    why.downcast_ref::<io::Error>().is_some_and(|why| why.kind() == io::ErrorKind::BrokenPipe)
}

/// What people wrote, without what a terminal would obey: no line of it passes
/// for one of ours.
fn plain(text: &str) -> String {
    // Those that turn the direction of writing would move what stands behind them.
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| match c.is_control() || turns(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(shown).collect()
}

/// A line for each thing that was done in a row.
fn print(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let Entry { revision, at, actor, credential, session, request, acts } = entry;
    let who = actor.as_ref().map_or("the operator", |handle| handle.as_str());
    let with = match (credential, session) {
        (Some(token), _) => format!(" [token {token}]"),
        (None, Some(session)) => format!(" [session {session}]"),
        (None, None) => String::new(),
    };
    let request = request.as_ref().map(|request| format!(" [request {request}]")).unwrap_or_default();
    for act in acts {
        writeln!(out, "{at} {revision} {who} {}{with}{request}", plain(&act.what))?;
    }
    Ok(())
}
