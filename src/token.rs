//! `skillmirror token`: tokens for people.

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use registry::names::Handle;
use registry::ops::issue_token::{IssueToken, issue_token};
use registry::private::{Scope, Scopes, Secret};
use registry::time::Timestamp;

use crate::Failure;
use crate::config::Config;
use crate::settle::settle;
use crate::store::{open, operator};

/// What to do with tokens.
#[derive(Subcommand)]
pub enum Command {
    /// Issue a token and print it, alone, on standard output
    Issue {
        /// For whom
        handle: Handle,
        /// What it is called in their list
        #[arg(long)]
        name: String,
        /// What it may be used for: read, publish, social, manage, tokens
        /// [default: all]
        #[arg(long, value_delimiter = ',', value_name = "A,B")]
        scopes: Option<Vec<Scope>>,
        /// When it ends: 30d, 12h, 45m [default: never]
        #[arg(long, value_name = "TIME", value_parser = duration)]
        expires: Option<Duration>,
    },
}

/// Reads a span of time such as `30d`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let fail = || "write a number and d, h, m or s, for example 30d".to_owned();
    let unit = text.chars().last().ok_or_else(fail)?;
    let seconds = match unit {
        'd' => 86_400,
        'h' => 3600,
        'm' => 60,
        's' => 1,
        _ => return Err(fail()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| fail())?;
    let total = number.checked_mul(seconds).filter(|total| *total > 0).ok_or_else(fail)?;
    Ok(Duration::from_secs(total))
}

/// Runs the command.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    let Command::Issue { handle, name, scopes, expires } = command;
    let registry = open(config)?.registry;
    let secret = Secret::generate()?;
    let input = IssueToken {
        handle: Some(handle),
        name,
        scopes: Some(scopes.map_or_else(Scopes::all, Scopes::from)),
        expires_at: expires.map(|span| Timestamp::now().plus(span)),
        digest: secret.digest(),
        prefix: secret.prefix(),
    };
    registry.commit(&operator(None), |context| issue_token(context, &input))?;
    println!("{}", secret.reveal());
    // The first command on an empty data folder makes what everyone may see.
    settle(config, &registry);
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time() {
        assert_eq!(duration("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(duration("45m"), Ok(Duration::from_secs(2700)));
        for bad in ["", "d", "30", "0d", "-1d", "1w", "1é", "99999999999999999999d", "999999999999999999d"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
