//! `skillmirror user`: manages accounts.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use registry::Registry;
use registry::api::private::UserRecord;
use registry::names::Handle;
use registry::names::{did_you_mean, nearest};
use registry::ops::account;
use registry::ops::users::{self, AddUser};
use registry::private::{Password, PlatformRole};

use crate::Failure;
use crate::config::Config;
use crate::output::{Items, Printer, borderless, escape_line, table_text};
use crate::storage::open_registry::{Opened, open_existing, operator};
use crate::tree::update_tree::update_tree;

/// Add, list, disable and enable accounts
#[derive(Subcommand)]
#[command(after_help = "
    user add ann --name \"Ann Lee\"  # Add an account
    user add bob --role moderator    # Make a moderator
    user list                        # All accounts
")]
pub enum Command {
    /// Add an account
    #[command(after_help = "
        user add ann --name \"Ann Lee\"           # An account with a display name
        user add root --role admin                # A platform admin
        user add ann --password-stdin < password  # With a password for the pages
    ")]
    Add {
        /// The permanent handle: 1 to 64 characters a-z, 0-9 and `-`
        handle: Handle,
        /// The display name [default: the handle]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// The platform role
        #[arg(long, value_enum, default_value_t = Role::User)]
        role: Role,
        /// Read a password from the first line of standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// Set the password of an account, which ends its sessions
    #[command(after_help = "user set-password ann < password  # A new password")]
    SetPassword {
        /// The account. The password is the first line of standard input
        handle: Handle,
    },
    /// List all accounts
    #[command(after_help = "
        user list --data /var/lib/skillmirror  # All accounts of another data folder
        user list --json                       # For programs
    ")]
    List,
    /// Disable an account and all its credentials
    #[command(after_help = "user disable ann  # Nothing of ann's works any more")]
    Disable {
        /// The account
        handle: Handle,
    },
    /// Enable a disabled account. Tokens that were not revoked work again
    #[command(after_help = "user enable ann  # It works again")]
    Enable {
        /// The account
        handle: Handle,
    },
}

/// A platform role on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum Role {
    /// No special rights
    User,
    /// Also sees the members of all namespaces, and decides their reviews
    Moderator,
    /// All rights
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

/// Reads a password from standard input, and returns its hash.
fn read_password() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    let password = Password::from(line.trim_end_matches(['\r', '\n']).to_owned());
    password.check().map_err(|why| format!("invalid password: {why}"))?;
    Ok(password.hash()?)
}

/// Refuses a handle that no user has, and names those that are like it.
pub fn require_user(registry: &Registry, handle: &Handle) -> Result<(), Failure> {
    registry.read(|catalog| {
        if catalog.private.user(handle).is_some() {
            return Ok(());
        }
        let users = catalog.private.users().map(|user| user.handle.as_str());
        let remedy = match nearest(handle.as_str(), users).as_slice() {
            [] => format!(": add one with `skillmirror user add {handle}`"),
            near => did_you_mean(near),
        };
        Err(format!("no user `{handle}`{remedy}").into())
    })
}

/// Runs the command.
pub fn run(config: &Config, command: Command, printer: Printer) -> Result<ExitCode, Failure> {
    let Opened { registry, local } = open_existing(config)?;
    let report = |handle: &Handle, text: String| {
        let account = registry.read(|catalog| catalog.private.user(handle).map(UserRecord::from));
        printer.report(format!("{text}\n"), &account)
    };
    match command {
        Command::Add { handle, name, role, password_stdin } => {
            // Read first, so that an invalid password adds no account.
            let password = if password_stdin { Some(read_password()?) } else { None };
            let input = AddUser { handle, display_name: name, role: role.into() };
            registry.commit(&operator(None), |context| users::add(context, &input))?;
            let handle = &input.handle;
            if let Some(hash) = password {
                local.set_password(handle, &hash)?;
                registry.commit(&operator(None), |context| account::password_set(context, handle))?;
            }
            let next = format!("issue a token with `skillmirror token issue {handle} --name NAME`");
            report(handle, format!("added user {handle}; {next}"))?;
        }
        Command::Disable { handle } => {
            require_user(&registry, &handle)?;
            let done = registry.commit(&operator(None), |context| users::disable(context, &handle))?;
            let text = match done.revision {
                Some(_) => format!("disabled user {handle}; the tokens no longer work"),
                None => format!("user {handle} was already disabled"),
            };
            report(&handle, text)?;
        }
        Command::Enable { handle } => {
            require_user(&registry, &handle)?;
            let done = registry.commit(&operator(None), |context| users::enable(context, &handle))?;
            let text = match done.revision {
                Some(_) => format!(
                    "enabled user {handle}; tokens that were not revoked work again, see `skillmirror token list {handle}`"
                ),
                None => format!("user {handle} was not disabled"),
            };
            report(&handle, text)?;
        }
        Command::SetPassword { handle } => {
            require_user(&registry, &handle)?;
            local.set_password(&handle, &read_password()?)?;
            registry.commit(&operator(None), |context| account::password_set(context, &handle))?;
            report(&handle, format!("set the password of user {handle} and ended the sessions"))?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::List => {
            let (rows, items): (Vec<_>, _) = registry.read(|catalog| {
                let users = catalog.private.users().map(|user| {
                    let state = if user.disabled { "disabled" } else { "active" };
                    let since = user.created_at.to_string();
                    let name = escape_line(&user.display_name);
                    let row = [user.handle.as_str(), &name, user.role.as_str(), &since, state];
                    (row.map(ToOwned::to_owned), UserRecord::from(user))
                });
                users.unzip()
            });
            let table = borderless(["HANDLE", "NAME", "ROLE", "SINCE", "STATE"], rows);
            printer.report(table_text(table.least_first(&["SINCE", "ROLE"])), &Items { items })?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    // A name is also in public rows.
    update_tree(config, &registry);
    Ok(ExitCode::SUCCESS)
}
