//! `skillmirror upgrade --check`: what starting this release would do with the folders.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use generator::FORMAT;
use generator::tree::Tree;
use registry::Registry;
use registry::journal::Revision;
use registry::local::SqliteLocal;
use serde::Serialize;

use crate::Failure;
use crate::config::Config;
use crate::output::Printer;
use crate::storage::stores::open_storage;

/// Say what starting this release would do
///
/// Reads the folders of a registry and changes nothing. To update installed skills, use
/// `skillmirror update`.
#[derive(Args)]
#[command(override_usage = "skillmirror upgrade --check [OPTIONS]")]
#[command(after_help = "
    upgrade --check                                                   # What starting this release would do
    upgrade --check --data /var/lib/skillmirror --public /srv/skills  # With other folders
    upgrade --check --config registry.toml                            # With the settings of a file
")]
pub struct Arguments {
    /// Change nothing: an upgrade itself is to stop the server, replace the program and start it
    #[arg(long)]
    check: bool,
    /// Skills to update, which is another command: `update`
    #[arg(hide = true)]
    skills: Vec<String>,
}

impl Arguments {
    /// Whether the command line asks for the check, and not for an update of skills.
    pub fn is_check(&self) -> bool {
        self.check && self.skills.is_empty()
    }
}

/// What the start would do, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Upgrade<'a> {
    /// The last public revision.
    revision: Revision,
    local_data: &'a str,
    tree: &'a str,
    /// Whether mirrors must be updated before the registry.
    mirrors_first: bool,
}

/// Runs the command. It fails if this release cannot read what is there.
pub fn run(config: &Config, _: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    // A file of another format is refused here, and a row of a newer release below.
    let storage = open_storage(config)?;
    let local = match config.storage.has_database() {
        true => "in the database: stays".to_owned(),
        false => SqliteLocal::format(&config.data)?
            .map_or("none: the start makes it".to_owned(), |format| format!("format {format}: stays")),
    };
    let registry = Registry::open(storage)?;
    let revision = registry.public().read().revision();
    let mut text = format!("journal     up to public revision {revision}: this release reads all rows\n");
    let _ = writeln!(text, "local data  {local}");
    let (tree, rises) = of_tree(config);
    let _ = writeln!(text, "tree        {tree}");
    if rises {
        text +=
            "mirrors     update those that follow this registry first: older releases stop at its new tree\n";
    }
    text += "\nback up (`skillmirror journal backup FILE`), stop the server, replace the program, start it\n";
    let record = Upgrade { revision, local_data: &local, tree: &tree, mirrors_first: rises };
    printer.report(text, &record)?;
    Ok(ExitCode::SUCCESS)
}

/// What happens to the tree, and whether its format rises.
fn of_tree(config: &Config) -> (String, bool) {
    let tree = Tree::at(&config.public);
    let Some(head) = tree.head() else {
        return ("none: the start writes it".to_owned(), false);
    };
    let written = head.format;
    let settings = tree.settings();
    if written != FORMAT {
        let text = format!(
            "format {written}, and this release writes {FORMAT}: the start writes all files again, while readers go on"
        );
        return (text, written < FORMAT);
    }
    if settings.is_some_and(|settings| settings != config.tree_settings(&tree)) {
        let text =
            "other settings than in the configuration: the start writes all files again, while readers go on";
        return (text.to_owned(), false);
    }
    (format!("format {written}: stays"), false)
}
