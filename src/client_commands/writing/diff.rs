//! `skillmirror diff`: compares two versions, or a version with a folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use client::diff::{FileChange, PackageContents, PackageDiff, published_package};
use client::publish::local_package::folder_of_skill_md;
use client::registry_choice::RegistryChoice;
use client::writing::{CheckRequest, check};
use client::{ClientError, SkillReference, user_path};
use console::style;
use serde_json::json;

use super::{package_at, package_path};
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{escape_line, print_note};

/// Compare two versions, or a version with a folder
///
/// Text files are compared line by line, and others by size and digest. Of a folder it takes the files
/// that `publish` would send.
#[derive(Args)]
#[command(after_help = "
    diff hello@1.0.0 hello@1.1.0               # What changed from one version to the next
    diff hello hello/                          # What publishing this folder would change
    diff hello@1.0.0 hello@latest --name-only  # Only the names of the files
")]
pub struct Arguments {
    /// The older side: a version such as hello@1.0.0, or a folder or zip such as ./hello
    #[arg(value_name = "OLD")]
    old: Side,
    /// The newer side. A folder begins with `.`, `/` or `~`, or ends with `/`
    #[arg(value_name = "NEW")]
    new: Side,
    /// List only the names of the files
    #[arg(long)]
    name_only: bool,
    /// Accept this file of a folder, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH", value_parser = package_path)]
    allow_file: Vec<String>,
    #[command(flatten)]
    options: RegistryOptions,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Side {
    /// A folder or a zip.
    Local(PathBuf),
    /// A version at the registry, as it was written.
    Published(SkillReference, String),
}

impl FromStr for Side {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let is_skill_md = folder_of_skill_md(Path::new(text)).is_some();
        let is_path =
            text.starts_with(['.', '/', '~']) || text.ends_with('/') || text.ends_with(".zip") || is_skill_md;
        if is_path && !text.contains("://") {
            user_path(text.as_ref()).map(Self::Local).map_err(ClientError::Unsupported)
        } else {
            text.parse().map(|reference| Self::Published(reference, text.to_owned()))
        }
    }
}

/// Runs the command. If it fails, says how to name a folder that looks like a skill.
pub fn run(arguments: &Arguments) -> ExitCode {
    let code = arguments.options.run(|chosen| compare(arguments, chosen));
    if code != ExitCode::SUCCESS && !arguments.options.json {
        for side in [&arguments.old, &arguments.new] {
            if let Side::Published(_, text) = side
                && Path::new(text).exists()
            {
                print_note(format_args!(
                    "`{text}` means a skill of a registry here: write ./{text} for the folder or file"
                ));
            }
        }
    }
    code
}

fn compare(arguments: &Arguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let (old_name, old) = arguments.contents(&arguments.old, chosen)?;
    let (new_name, new) = arguments.contents(&arguments.new, chosen)?;
    let diff = PackageDiff::between(&old, &new);
    let mut text = format!("{old_name} -> {new_name}: {}\n", diff.summary());
    if arguments.name_only {
        for file in &diff.files {
            text += &format!("{:<8} {}\n", word(file.change), escape_line(&file.path));
        }
    } else {
        text.extend(diff.text().split_inclusive('\n').map(coloured));
    }
    let json = json!({"old": old_name, "new": new_name, "files": diff.files});
    Ok(Report { text, json })
}

impl Arguments {
    /// The name of a side for people, and its files.
    fn contents(
        &self,
        side: &Side,
        chosen: &RegistryChoice,
    ) -> Result<(String, PackageContents), ClientError> {
        match side {
            Side::Local(path) => {
                let path = package_at(path, self.options.json);
                let request = CheckRequest { path, allowed_files: &self.allow_file, is_named: true };
                let accepted = check(&request)?.into_accepted("was not compared")?;
                Ok((escape_line(path.display()), PackageContents::from(&accepted.package)))
            }
            Side::Published(reference, _) => {
                let found = published_package(&chosen.source()?, reference, &mut |_, _| {})?;
                let name = format!("{} {}", SkillReference::argument(&found.coordinate), found.version);
                Ok((name, found.contents))
            }
        }
    }
}

/// What happened to a file.
fn word(change: FileChange) -> &'static str {
    match change {
        FileChange::Added => "added",
        FileChange::Removed => "removed",
        FileChange::Changed => "changed",
        FileChange::Mode => "mode",
    }
}

/// A line of a diff, in its colour on a terminal.
fn coloured(line: &str) -> String {
    let text = line.trim_end_matches('\n');
    let shown = match text.as_bytes().first() {
        Some(b'+') => style(text).green(),
        Some(b'-') => style(text).red(),
        Some(b'@') => style(text).cyan(),
        Some(b'd') => style(text).bold(),
        _ => return line.to_owned(),
    };
    format!("{shown}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_zips_are_told_from_versions() {
        for path in ["./hello", "../x", "hello/", "/srv/hello", "hello.zip", "."] {
            assert_eq!(path.parse::<Side>().ok(), Some(Side::Local(path.into())), "{path}");
        }
        for version in ["hello", "hello@1.0.0", "@tools/lint@stable", "tools/lint"] {
            assert!(matches!(version.parse(), Ok(Side::Published(..))), "{version}");
        }
        for wrong in ["a b", "http://127.0.0.1/global/hello/"] {
            assert!(wrong.parse::<Side>().is_err(), "{wrong}");
        }
    }
}
