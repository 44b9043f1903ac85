//! `skillmirror user`: accounts.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use registry::names::Handle;
use registry::ops::account;
use registry::ops::users::{self, AddUser};
use registry::private::{Password, PlatformRole};

use crate::Failure;
use crate::await_tree::await_tree;
use crate::config::Config;
use crate::open_registry::{Opened, open, open_existing, operator};
use crate::output::{self, borderless, table_text};

/// What to do with accounts.
#[derive(Subcommand)]
pub enum Command {
    /// Add an account
    Add {
        /// Its handle: a-z, 0-9 and `-`, for ever
        handle: Handle,
        /// The name to show [default: the handle]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// What it may do everywhere
        #[arg(long, value_enum, default_value_t = Role::User)]
        role: Role,
        /// Read the account's password from standard input (one line)
        #[arg(long)]
        password_stdin: bool,
    },
    /// Give an account a new password; its sessions end
    SetPassword {
        /// Whose; the password is read from standard input (one line)
        handle: Handle,
    },
    /// List all accounts
    List,
    /// Switch an account and all its credentials off
    Disable {
        /// Whose
        handle: Handle,
    },
}

/// A platform role on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum Role {
    /// What everyone may
    User,
    /// Also decides reviews
    Moderator,
    /// Everything
    Admin,
}

impl From<Role> for PlatformRole {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Moderator => Self::Moderator,
            Role::Admin => Self::Admin,
        }
    }
}

/// Reads a password and gives what is kept of it.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let password = Password::from(line.trim_end_matches(['\r', '\n']).to_owned());
    password.check().map_err(|why| format!("the password is refused: {why}"))?;
    Ok(password.hash()?)
}

/// Runs the command.
pub fn run(config: &Config, command: Command) -> Result<ExitCode, Failure> {
    let opened = if matches!(command, Command::Add { .. }) { open(config) } else { open_existing(config) };
    let Opened { registry, local } = opened?;
    match command {
        Command::Add { handle, name, role, password_stdin } => {
            // Before anything is written: a password that is refused adds nobody.
            let password = if password_stdin { Some(read_password()?) } else { None };
            let input = AddUser { handle, display_name: name, role: role.into() };
            registry.commit(&operator(None), |context| users::add(context, &input))?;
            if let Some(hash) = password {
                let handle = &input.handle;
                local.set_password(handle, &hash)?;
                registry.commit(&operator(None), |context| account::password_set(context, handle))?;
            }
            println!(
                "added the user {}; give them a token with `skillmirror token issue {0} --name NAME`",
                input.handle
            );
        }
        Command::Disable { handle } => {
            let done = registry.commit(&operator(None), |context| users::disable(context, &handle))?;
            match done.revision {
                Some(_) => println!("disabled the user {handle}: their tokens no longer work"),
                None => println!("the user {handle} was disabled already"),
            }
        }
        Command::SetPassword { handle } => {
            if registry.read(|catalog| catalog.private.user(&handle).is_none()) {
                return Err(format!("there is no user `{handle}`").into());
            }
            local.set_password(&handle, &read_password()?)?;
            registry.commit(&operator(None), |context| account::password_set(context, &handle))?;
            println!("set the password of the user {handle}, whose sessions have ended");
            return Ok(ExitCode::SUCCESS);
        }
        Command::List => {
            let mut table = registry.read(|catalog| {
                let rows = catalog.private.users().map(|user| {
                    let state = if user.disabled { "disabled" } else { "active" };
                    let since = user.created_at.to_string();
                    let row = [user.handle.as_str(), &user.display_name, user.role.as_str(), &since, state];
                    row.map(ToOwned::to_owned)
                });
                borderless(["HANDLE", "NAME", "ROLE", "SINCE", "STATE"], rows)
            });
            table.column_iter_mut().for_each(|column| {
                column.set_padding((0, 1));
            });
            output::print(&table_text(table))?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    // The first command on an empty data folder makes what everyone may see.
    await_tree(config, &registry);
    Ok(ExitCode::SUCCESS)
}
