//! `skillmirror publish`: a skill folder or a zip goes to a registry.

use std::path::PathBuf;

use clap::Args;
use client::http::Http;
use client::local_package::{LocalError, name_of, read_package, read_zip};
use client::publish::{Publication, Receipt, publish};
use client::{ClientError, SkillReference};
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use registry::names::{Coordinate, NameError, Namespace, TagName, TolerantVersion};
use registry::package::{Limits, ReadOptions, Strictness};

use crate::client_commands::Report;
use crate::client_commands::registry_options::{ChosenRegistry, RegistryOptions};
use crate::output::escape_line;

/// No registry takes a larger zip unless it is set otherwise: 50 MiB (`limits.zip`).
const ZIP_LIMIT: u64 = 50 << 20;

/// What is published, and as what.
#[derive(Args)]
pub struct Arguments {
    /// A skill folder, or a zip of one
    #[arg(value_name = "DIR|ZIP")]
    path: PathBuf,
    /// In this namespace [default: what the package says, else global]
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    /// Under this name [default: what the package says]
    #[arg(long, value_name = "SLUG")]
    slug: Option<Coordinate>,
    /// As this version [default: what the package says, else the one after the latest]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    version: Option<String>,
    /// What is new in it
    #[arg(long, value_name = "TEXT")]
    changelog: Option<String>,
    /// Tags that then point to it
    #[arg(long, value_name = "TAG,…", value_delimiter = ',')]
    tags: Vec<TagName>,
    /// Only find out what would become of it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// A version as it was written, where it is one.
fn version(text: &str) -> Result<String, NameError> {
    text.parse::<TolerantVersion>().map(|_| text.to_owned())
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let chosen = arguments.options.choose()?;
    if let Some(site) = chosen.naming_site() {
        let why = format!(
            "{site} says that its registry is {}, which is another host: name it with --registry to publish there",
            chosen.address
        );
        return Err(chosen.explain(ClientError::Unsupported(why)));
    }
    let http = Http::new();
    let token = chosen.token(&http, "takes no publications")?;
    let name = name_of(&arguments.path).unwrap_or_default();
    let zip = arguments.checked_zip(&name)?;
    let fields = arguments.fields();
    let publication = Publication { zip: &zip, name: &name, fields: &fields };
    let bar = progress();
    let done = publish(&http, &chosen.address, &token, &publication, &mut |so_far, all| {
        bar.set_length(all.unwrap_or(so_far));
        bar.set_position(so_far);
    });
    bar.finish_and_clear();
    let receipt = done.map_err(|why| chosen.explain(why))?;
    Ok(Report { text: arguments.text(&receipt, &chosen), json: receipt.json })
}

impl Arguments {
    /// The bytes that are sent: checked here first, so that all that is wrong is said
    /// before anything leaves the machine.
    fn checked_zip(&self, name: &str) -> Result<Vec<u8>, ClientError> {
        let unusable = |why: String| ClientError::File { path: self.path.clone(), why };
        let limits = Limits::default();
        let options =
            ReadOptions { source_name: Some(name), strictness: Strictness::Strict, limits: &limits };
        let package = read_package(&self.path, &options, ZIP_LIMIT).map_err(|why| match why {
            LocalError::Refused(refusal) => ClientError::Package(refusal),
            LocalError::Unread(why) => unusable(why),
        })?;
        if self.path.is_dir() {
            package.archive().map_err(|why| unusable(why.to_string()))
        } else {
            // As it is: its top folder may be the only one who knows its name.
            read_zip(&self.path, ZIP_LIMIT).map_err(unusable)
        }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let tags: Vec<&str> = self.tags.iter().map(TagName::as_str).collect();
        let fields = [
            ("namespace", self.namespace.as_ref().map(ToString::to_string)),
            ("slug", self.slug.as_ref().map(ToString::to_string)),
            ("version", self.version.clone()),
            ("changelog", self.changelog.clone()),
            ("tags", (!tags.is_empty()).then(|| tags.join(","))),
            ("dryRun", self.dry_run.then(|| "true".to_owned())),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    fn text(&self, receipt: &Receipt, chosen: &ChosenRegistry) -> String {
        let done = &receipt.published;
        let what = format!("{} {}", SkillReference::argument(&done.canonical_slug), done.version);
        let address = &chosen.address;
        let mut text = match (done.status.as_str(), &done.review_id) {
            _ if self.dry_run => format!("{what} would be taken by {address}: nothing was kept"),
            ("pending_review", Some(review)) => {
                format!(
                    "{what} was handed in at {address}: it waits for review {}, and is public once that is approved",
                    escape_line(review)
                )
            }
            _ if receipt.is_new => {
                let size = HumanBytes(done.package_size);
                let files = if done.file_count == 1 { "file" } else { "files" };
                format!("published {what} at {address} ({} {files}, {size})", done.file_count)
            }
            _ => format!("{what} is at {address} already, with the same content: nothing was changed"),
        };
        text.push('\n');
        for warning in &done.warnings {
            text += &format!("warning: {}\n", escape_line(warning));
        }
        text
    }
}

/// A bar on a terminal; nothing elsewhere.
fn progress() -> ProgressBar {
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
