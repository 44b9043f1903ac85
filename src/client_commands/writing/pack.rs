//! `skillmirror pack`: writes the package that `publish` sends.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use client::ClientError;
use client::writing::{CheckRequest, check, pack};
use indicatif::HumanBytes;
use serde_json::json;

use super::check::left_out;
use super::{package_at, package_path};
use crate::client_commands::{Report, report_or_error};
use crate::output::{escape_line, print_warning};

/// Write the package that `publish` sends to a file
///
/// The bytes depend only on the content: a registry that publishes the folder has a package with the
/// same sha256.
#[derive(Args)]
#[command(after_help = "
    pack pdf-forms --out pdf-forms.zip         # Write the package that `publish` sends
    pack --out ../pdf-forms.zip                # The skill in this folder
    pack pdf-forms --out pdf-forms.zip --json  # Its sha256, for programs
")]
pub struct Arguments {
    /// A skill folder, or a zip of one
    #[arg(value_name = "DIR|ZIP", default_value = ".")]
    path: PathBuf,
    /// The file to write, outside of the folder. It is replaced if it exists
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Pack this file, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH", value_parser = package_path)]
    allow_file: Vec<String>,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    report_or_error(packed(arguments), arguments.json)
}

fn packed(arguments: &Arguments) -> Result<Report, ClientError> {
    let path = package_at(&arguments.path, arguments.json);
    let request = CheckRequest { path, allowed_files: &arguments.allow_file, is_named: true };
    let checked = check(&request)?;
    let left_out = if arguments.json { String::new() } else { left_out(&checked.left_out) };
    let accepted = checked.into_accepted("was not written")?;
    pack::write(&accepted.zip, path, &arguments.out)?;
    let (package, sha256) = (&accepted.package, accepted.zip_digest());
    if !arguments.json {
        package.warnings.iter().for_each(print_warning);
    }
    let (files, size) = (package.files.len(), accepted.zip.len() as u64);
    let (noun, out) = (if files == 1 { "file" } else { "files" }, escape_line(arguments.out.display()));
    let text =
        format!("packed {files} {noun} into {out} ({})\n{left_out}sha256 {sha256}\n", HumanBytes(size));
    let json = json!({
        "out": arguments.out.to_string_lossy(),
        "slug": package.manifest.slug(),
        "version": package.manifest.version.as_ref().map(|read| &read.version),
        "sha256": sha256,
        "size": size,
        "contentDigest": package.content_digest,
        "warnings": package.warnings,
    });
    Ok(Report { text, json })
}
