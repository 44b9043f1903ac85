//! `skillmirror publish`: publishes a skill folder or a zip.

use std::path::PathBuf;

use clap::Args;
use client::http::Http;
use client::local_package::{LocalError, name_of, read_package, read_zip};
use client::publish::{Publication, Receipt, publish};
use client::{ClientError, SkillReference};
use indicatif::HumanBytes;
use registry::names::{Coordinate, NameError, Namespace, TagName, TolerantVersion};
use registry::package::{Limits, ReadOptions, Strictness};

use super::Report;
use super::registry_options::{ChosenRegistry, RegistryOptions};
use crate::output::{escape_line, progress_bar, with_causes};

/// The size limit of a zip: 50 MiB, the default of `limits.zip` at a registry.
const ZIP_LIMIT: u64 = 50 << 20;

/// What to publish.
#[derive(Args)]
pub struct Arguments {
    /// A skill folder, or a zip of one
    #[arg(value_name = "DIR|ZIP")]
    path: PathBuf,
    /// The namespace [default: from the package, or else global]
    #[arg(long, value_name = "NS")]
    namespace: Option<Namespace>,
    /// The slug of the skill [default: from the package]
    #[arg(long, value_name = "SLUG")]
    slug: Option<Coordinate>,
    /// The version [default: from the package, or else the next one after the latest]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    version: Option<String>,
    /// What is new in this version
    #[arg(long, value_name = "TEXT")]
    changelog: Option<String>,
    /// Tags to point to this version
    #[arg(long, value_name = "TAG,…", value_delimiter = ',')]
    tags: Vec<TagName>,
    /// Check everything, but publish nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Checks a version, and returns it as it was written.
fn version(text: &str) -> Result<String, NameError> {
    text.parse::<TolerantVersion>().map(|_| text.to_owned())
}

/// Runs the command.
pub fn run(arguments: &Arguments, chosen: &ChosenRegistry) -> Result<Report, ClientError> {
    if let Some(site) = chosen.naming_site() {
        let why = format!(
            "{site} names {0}, another host, as its registry: use --registry {0} to publish there",
            chosen.address
        );
        return Err(ClientError::Unsupported(why));
    }
    let http = Http::new();
    let token = chosen.token(&http, "does not accept packages")?;
    let name = name_of(&arguments.path).unwrap_or_default();
    let zip = arguments.checked_zip(&name)?;
    let fields = arguments.fields();
    let publication = Publication { zip: &zip, name: &name, fields: &fields };
    let bar = progress_bar(0, "{bar:30} {bytes}/{total_bytes}");
    let published = publish(&http, &chosen.address, &token, &publication, &mut |sent, total| {
        bar.set_length(total.unwrap_or(sent));
        bar.set_position(sent);
    });
    bar.finish_and_clear();
    let receipt = published?;
    Ok(Report { text: arguments.text(&receipt, chosen), json: receipt.json })
}

impl Arguments {
    /// The zip to send. It is checked first, so that all problems are reported before
    /// anything leaves the machine.
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
            package.archive().map_err(|why| unusable(with_causes(&why)))
        } else {
            // The zip is sent unchanged: its top folder may be the only place with the name.
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
            _ if self.dry_run => format!("{address} would accept {what}: nothing was published"),
            ("pending_review", Some(review)) => {
                let review = escape_line(review);
                format!(
                    "submitted {what} to {address}: it waits for review {review}, and is public once approved"
                )
            }
            _ if receipt.is_new => {
                let size = HumanBytes(done.package_size);
                let files = if done.file_count == 1 { "file" } else { "files" };
                format!("published {what} to {address} ({} {files}, {size})", done.file_count)
            }
            _ => format!("{address} already has {what} with the same content: nothing was changed"),
        };
        text.push('\n');
        for warning in &done.warnings {
            text += &format!("warning: {}\n", escape_line(warning));
        }
        text
    }
}
