//! `skillmirror agents`: where skills go, for each agent.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use client::install::{Agent, all_agents};
use client::{ClientError, home_folder};
use serde_json::json;

use super::{Report, report_or_error};
use crate::output::{borderless, escape_line, table_text};

/// List where skills go, for each agent
#[derive(Args)]
#[command(after_help = "
    agents               # Where skills go, for each agent
    agents claude codex  # Only these
    agents --json        # For programs
")]
pub struct Arguments {
    /// The agents to list, as for `--agent` [default: all]
    #[arg(value_name = "AGENT", hide_possible_values = true)]
    agents: Vec<Agent>,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    report_or_error(arguments.list(), arguments.json)
}

impl Arguments {
    fn list(&self) -> Result<Report, ClientError> {
        let home = home_folder().ok();
        let agents = match self.agents.as_slice() {
            [] => all_agents().collect(),
            named => named.to_vec(),
        };
        let global = |agent: Agent| {
            let home = home.as_deref().unwrap_or(Path::new("~"));
            Ok((agent, agent.global_folder(home, |name| std::env::var_os(name))?))
        };
        let agents =
            agents.into_iter().map(global).collect::<Result<Vec<(Agent, PathBuf)>, ClientError>>()?;
        let shown = |(agent, folder): &(Agent, PathBuf)| {
            let below = home.as_ref().and_then(|home| folder.strip_prefix(home).ok());
            let folder = below.map_or(folder.clone(), |below| Path::new("~").join(below));
            let names = [vec![agent.name()], agent.aliases().collect()].concat();
            [names.join(", "), agent.project_folder.to_owned(), escape_line(folder.display())]
        };
        let table = borderless(["AGENT", "IN A PROJECT", "FOR ALL PROJECTS"], agents.iter().map(shown));
        let text = table_text(table)
            + "`skillmirror install SKILL --agent AGENT` installs in a project; add --global for all.\n";
        let item = |(agent, folder): &(Agent, PathBuf)| {
            json!({
                "agent": agent.name(),
                "aliases": agent.aliases().collect::<Vec<_>>(),
                "projectFolder": agent.project_folder,
                "globalFolder": folder.to_string_lossy(),
            })
        };
        let json = json!({"items": agents.iter().map(item).collect::<Vec<_>>()});
        Ok(Report { text, json })
    }
}
