//! `skillmirror init`: writes a first SKILL.md.

use std::io::{BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use client::ClientError;
use client::publish::local_package::name_of;
use client::writing::starter::{Starter, existing};
use registry::names::Slug;
use registry::package::placeholders::DESCRIPTION;
use registry::package::slugified;
use serde_json::json;

use crate::client_commands::{Report, report_or_error};
use crate::output::{escape_line, print_note, prompt};

/// The longest answer in bytes.
const MAX_ANSWER: u64 = 16 << 10;

/// Write a first SKILL.md
///
/// Asks for the name, the description and the license, and writes a SKILL.md that passes
/// `skillmirror check`. It never replaces a file.
#[derive(Args)]
#[command(after_help = "
    init                                                        # Ask for the name and the rest, and write ./SKILL.md
    init pdf-forms                                              # Write pdf-forms/SKILL.md, and ask for the rest
    init pdf-forms --yes --description \"Fills in PDF forms.\"  # Ask nothing
")]
pub struct Arguments {
    /// The name, and the folder to create [default: this folder and its name]
    #[arg(value_name = "NAME")]
    name: Option<Slug>,
    /// What the skill does and when an agent should use it, in 1 to 1,024 characters
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The license, such as MIT [default: none]
    #[arg(long, value_name = "NAME")]
    license: Option<String>,
    /// Take the defaults instead of asking
    #[arg(long, short)]
    yes: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    report_or_error(arguments.init(), arguments.json)
}

impl Arguments {
    fn init(&self) -> Result<Report, ClientError> {
        let folder = self.name.as_ref().map_or(PathBuf::from("."), |name| PathBuf::from(name.as_str()));
        if let Some(path) = existing(&folder) {
            let why = "it exists already, and is not replaced: edit it, or choose another folder".to_owned();
            return Err(ClientError::File { path, why });
        }
        let starter = self.starter(&folder)?;
        let path = starter.write(&folder)?;
        let (shown, argument) = (escape_line(path.display()), escape_line(folder.display()));
        let argument = if self.name.is_some() { format!(" {argument}") } else { String::new() };
        let text = format!(
            "wrote {shown}: edit it, then `skillmirror check{argument}` and `skillmirror publish{}`\n",
            if argument.is_empty() { " ." } else { &argument }
        );
        if !self.json && is_in_git(&folder) {
            print_note(
                "in git: add the line `* -text` to .gitattributes, so that no machine changes line ends (a package has them \
                 as they are)",
            );
        }
        let json = json!({
            "path": path.to_string_lossy(), "name": starter.name, "description": starter.description,
            "license": starter.license,
        });
        Ok(Report { text, json })
    }

    /// The fields from the options, else from the answers of the user, else by default.
    fn starter(&self, folder: &Path) -> Result<Starter, ClientError> {
        let asks = !self.yes && (self.description.is_none() || self.license.is_none());
        if asks && !std::io::stdin().is_terminal() && self.description.is_none() {
            let why = "no terminal to ask what the skill does: use --description, or --yes for the defaults";
            return Err(ClientError::Unsupported(why.to_owned()));
        }
        let asks = asks && std::io::stdin().is_terminal() && !self.json;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => own_name(folder, asks)?,
        };
        let description = match &self.description {
            Some(description) => description.clone(),
            None if asks => answer("What does it do, and when should an agent use it?", DESCRIPTION)?,
            None => DESCRIPTION.to_owned(),
        };
        let license = match &self.license {
            None if asks => Some(answer("License", "none")?).filter(|license| license != "none"),
            given => given.clone(),
        };
        Ok(Starter { name, description, license })
    }
}

/// Whether a folder is in a git repository.
fn is_in_git(folder: &Path) -> bool {
    std::path::absolute(folder).is_ok_and(|whole| whole.ancestors().any(|above| above.join(".git").exists()))
}

/// The name of a skill in the working folder: that of the folder, which the user may change.
fn own_name(folder: &Path, asks: bool) -> Result<Slug, ClientError> {
    let own = name_of(folder).unwrap_or_default();
    let default = slugified(&own);
    let invalid = |text: &str, why: String| ClientError::Reference { text: text.to_owned(), why };
    if !asks {
        let why = "the name of this folder has no letters or digits to make a name of".to_owned();
        return default.ok_or_else(|| invalid(&own, why));
    }
    loop {
        let text = answer("Name", default.as_ref().map_or("", Slug::as_str))?;
        match text.parse() {
            Ok(name) => return Ok(name),
            Err(why) => crate::output::print_error(format!("invalid name: {why}")),
        }
    }
}

/// Asks a question. An empty answer is `default`.
fn answer(question: &str, default: &str) -> Result<String, ClientError> {
    prompt(&format!("{question} [{default}]: "));
    let mut line = String::new();
    let read = std::io::stdin().lock().take(MAX_ANSWER).read_line(&mut line);
    match read {
        Ok(1..) => {}
        // The end of the input is no answer.
        _ => return Err(ClientError::Unsupported("no answer: nothing was written".to_owned())),
    }
    let text = line.trim();
    Ok(if text.is_empty() { default.to_owned() } else { text.to_owned() })
}
