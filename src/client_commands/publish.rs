//! `skillmirror publish`: publishes a skill folder or a zip.

use std::path::PathBuf;

use clap::Args;
use client::http::Http;
use client::publish::local_package::{IgnoredFiles, LocalError, LocalPackage, name_of, read_package};
use client::publish::{Publication, Receipt, publish};
use client::registry_choice::RegistryChoice;
use client::{ClientError, SkillReference};
use indicatif::HumanBytes;
use registry::names::{Coordinate, NameError, Namespace, TagName, TolerantVersion};
use registry::package::{Limits, Package, PackagePath, ReadOptions, Strictness};
use registry::with_causes;

use super::registry_options::RegistryOptions;
use super::{Report, file_list, page_of};
use crate::output::{escape_line, print_note, progress_bar};

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
    /// Check everything and list all files, but publish nothing
    #[arg(long)]
    dry_run: bool,
    /// Publish this file, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH", value_parser = package_path)]
    allow_file: Vec<String>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Checks a version, and returns it as it was written.
fn version(text: &str) -> Result<String, NameError> {
    text.parse::<TolerantVersion>().map(|_| text.to_owned())
}

/// Checks the path of a file in a package.
fn package_path(text: &str) -> Result<String, String> {
    let path = PackagePath::parse(text.strip_prefix("./").unwrap_or(text));
    path.map(|path| path.as_str().to_owned()).map_err(|finding| finding.message)
}

/// Runs the command.
pub fn run(arguments: &Arguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    if let Some(site) = chosen.naming_site() {
        let why = format!(
            "{site} names {0}, another host, as its registry: use --registry {0} to publish there",
            chosen.address
        );
        return Err(ClientError::Unsupported(why));
    }
    let http = Http::default();
    let token = chosen.token(&http, "does not accept packages")?;
    let name = name_of(&arguments.path).unwrap_or_default();
    let LocalPackage { package, zip } = arguments.package(&name)?;
    // A zip is sent as it was validated: its top folder may be the only place with the name.
    let zip = match zip {
        Some(zip) => zip,
        None => package.archive().map_err(|why| arguments.unusable(with_causes(&why)))?,
    };
    if !arguments.options.json {
        // Before anything is sent, so that there is time to interrupt.
        package.warnings.iter().for_each(|warning| print_note(format_args!("warning: {warning}")));
    }
    let fields = arguments.fields();
    let publication = Publication { zip: &zip, name: &name, fields: &fields };
    let bar = progress_bar(0, "{bar:30} {bytes}/{total_bytes}");
    let published = publish(&http, &chosen.address, &token, &publication, &mut |sent, total| {
        bar.set_length(total.unwrap_or(sent));
        bar.set_position(sent);
    });
    bar.finish_and_clear();
    let receipt = published?;
    Ok(Report { text: arguments.text(&package, &receipt, chosen), json: receipt.json })
}

impl Arguments {
    /// Reads the package by the registry's rules, so that all problems are reported before
    /// anything leaves the machine.
    fn package(&self, name: &str) -> Result<LocalPackage, ClientError> {
        let limits = Limits::default();
        let options = ReadOptions {
            source_name: Some(name),
            strictness: Strictness::Strict,
            limits: &limits,
            allowed_files: &self.allow_file,
        };
        let local =
            read_package(&self.path, &options, ZIP_LIMIT, IgnoredFiles::LeaveOut).map_err(
                |why| match why {
                    LocalError::Refused(refusal) => ClientError::Package(refusal),
                    LocalError::Unread(why) => self.unusable(why),
                },
            )?;
        match self.allow_file.iter().find(|path| local.package.read(path).is_none()) {
            None => Ok(local),
            Some(path) => Err(self.unusable(format!(
                "--allow-file names `{path}`, which is not in the package: give the path from the folder of \
                 SKILL.md. If .gitignore leaves it out, add the line `!{path}` to .skillmirrorignore"
            ))),
        }
    }

    fn unusable(&self, why: String) -> ClientError {
        ClientError::File { path: self.path.clone(), why }
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
        let allowed = self.allow_file.iter().map(|path| ("allowFile", path.clone()));
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(allowed).collect()
    }

    fn text(&self, package: &Package, receipt: &Receipt, chosen: &RegistryChoice) -> String {
        let done = &receipt.published;
        let what = format!("{} {}", SkillReference::argument(&done.canonical_slug), done.version);
        let address = &chosen.address;
        let published = || file_list::paths(&package.files);
        let (sentence, files) = match (done.status.as_str(), &done.review_id) {
            _ if self.dry_run => {
                let files = package.files.iter().map(|file| (file.path.as_str(), file.size));
                let sentence = format!("{address} would accept {what}: nothing was published");
                (sentence, file_list::with_sizes(files))
            }
            ("pending_review", Some(review)) => {
                let review = escape_line(review);
                let sentence = format!(
                    "submitted {what} to {address}: it waits for review {review}, and is public once approved"
                );
                let after = "`skillmirror me` shows what became of it\n";
                (sentence, published() + after)
            }
            _ if receipt.is_new => {
                let size = HumanBytes(done.package_size);
                let files = if done.file_count == 1 { "file" } else { "files" };
                let count = done.file_count;
                let page = format!("page  {}\n", page_of(&done.canonical_slug, chosen));
                (format!("published {what} to {address} ({count} {files}, {size})"), published() + &page)
            }
            _ => {
                let sentence =
                    format!("{address} already has {what} with the same content: nothing was changed");
                (sentence, String::new())
            }
        };
        let mut text = format!("{sentence}\n{files}");
        // The others were shown before.
        for warning in done.warnings.iter().filter(|warning| !package.warnings.contains(warning)) {
            text += &format!("warning: {}\n", escape_line(warning));
        }
        text
    }
}
