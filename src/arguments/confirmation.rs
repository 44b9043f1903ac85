//! Asking before something that is hard to undo.

use std::io::{BufRead, IsTerminal};

use clap::Args;
use client::ClientError;

use crate::output::print_error;

/// Whether a person has agreed already.
#[derive(Args)]
pub struct Confirmation {
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

impl Confirmation {
    /// Asks at the terminal whether to do `what`, unless `--yes` is given. `after` says what will be
    /// so afterwards, and how to undo it.
    ///
    /// Errors: there is no terminal, or the answer is no.
    pub fn ask(&self, what: &str, after: &str) -> Result<(), ClientError> {
        if self.yes {
            return Ok(());
        }
        if !std::io::stdin().is_terminal() {
            let why = format!("not asked whether to {what}: there is no terminal. Use --yes if you mean it");
            return Err(ClientError::NotConfirmed(why));
        }
        print_error(format_args!("{what}? {after} [y/N]"));
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        if read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(());
        }
        Err(ClientError::NotConfirmed("nothing was changed".to_owned()))
    }
}
