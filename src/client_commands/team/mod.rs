//! The commands for the day of a team. Each asks a server as the person of the saved login.

pub mod advisory;
pub mod bundle;
pub mod cells;
mod list_page;
pub mod me;
pub mod member;
pub mod namespace;
pub mod opinion;
pub mod promote;
pub mod publisher;
pub mod removal;
pub mod review;
pub mod session;
pub mod tag;
pub mod token;
pub mod transfer;
pub mod yank;

use clap::Args;
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::{Reply, SignedIn};
use registry::names::Namespace;

use super::Report;
use super::registry_options::RegistryOptions;
use crate::arguments::skill_argument::SkillName;

/// A skill.
#[derive(Args)]
pub struct SkillArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A namespace.
#[derive(Args)]
pub struct NamespaceArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Sends a request as the person of the saved login, and reports its answer: `text` says it for
/// people, and programs get it as the registry sent it.
fn report<T>(
    chosen: &RegistryChoice,
    request: impl FnOnce(&SignedIn) -> Result<Reply<T>, ClientError>,
    text: impl FnOnce(&T) -> String,
) -> Result<Report, ClientError> {
    let reply = request(&SignedIn::at(chosen)?)?;
    Ok(Report { text: text(&reply.record), json: reply.json })
}
