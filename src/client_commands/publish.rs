//! `skillmirror publish`: publishes a skill folder or a zip.

use std::io::Read;
use std::path::PathBuf;

use clap::Args;
use client::http::Http;
use client::publish::job_token::{Job, skill_of};
use client::publish::local_package::name_of;
use client::publish::{Publication, Receipt, publish};
use client::registry_choice::RegistryChoice;
use client::writing::foresight::{Foreseen, News, foresee};
use client::writing::{Accepted, CheckRequest, check};
use client::{ClientError, SkillReference, Token};
use indicatif::HumanBytes;
use registry::api::private::PublishStatus;
use registry::names::{Coordinate, Digest, NameError, Namespace, TagName, TolerantVersion};
use registry::package::{Attestation, Finding, MAX_ATTESTATION, Package};

use super::registry_options::RegistryOptions;
use super::writing::check::left_out as left_out_line;
use super::writing::{package_at, package_path};
use super::{Report, file_list, page_of};
use crate::output::{escape_line, print_note, print_warning, progress_bar};

/// Publish a skill folder or a zip
///
/// Checks everything on your machine first, as `skillmirror check` does. What people submit to `global`
/// waits for a review by moderators. In the namespace of a team only its members publish; admins and
/// owners review, if the team asks for that. `skillmirror me` shows what became of it. A new submission
/// of a version replaces the one that waits, and `skillmirror review withdraw` takes it back.
#[derive(Args)]
#[command(after_help = "
    publish pdf-forms --dry-run                      # Ask the registry what would happen
    publish pdf-forms --namespace tools              # Publish a folder for your team
    publish pdf-forms --version 1.2.0 --tags stable  # A version with a tag
")]
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
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Publish this file, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH", value_parser = package_path)]
    allow_file: Vec<String>,
    /// A Sigstore bundle about the zip that `skillmirror pack` makes, to be kept beside the version
    #[arg(long, value_name = "FILE")]
    attestation: Option<PathBuf>,
    /// Publish as a job of a trusted publisher, although a token is configured
    ///
    /// Without a token and a login, a job of GitHub Actions with `permissions: id-token: write`, or one with
    /// SKILLMIRROR_ID_TOKEN, does that anyway.
    #[arg(long)]
    trusted: bool,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// What the package is published with.
enum Credential {
    Person(Token),
    Job(Job),
}

/// Checks a version, and returns it as it was written.
fn version(text: &str) -> Result<String, NameError> {
    text.parse::<TolerantVersion>().map(|_| text.to_owned())
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
    let http = Http::to(&chosen.address);
    let credential = arguments.credential(chosen, &http)?;
    let path = package_at(&arguments.path, arguments.options.json);
    let name = name_of(path).unwrap_or_default();
    // The registry names what has no name, and says so.
    let request = CheckRequest { path, allowed_files: &arguments.allow_file, is_named: true };
    let checked = check(&request)?;
    let (left_out, warnings) = (checked.left_out.clone(), checked.warnings.clone());
    let Accepted { package, zip, archive } = checked.into_accepted("was not sent")?;
    if !arguments.options.json {
        // Before anything is sent, so that there is time to interrupt.
        warnings.iter().for_each(print_warning);
    }
    let token = match credential {
        Credential::Person(token) => token,
        Credential::Job(job) => arguments.exchange(&job, chosen, &http, &package)?,
    };
    let mut fields = arguments.fields();
    fields.extend(arguments.attestation(&archive.sha256)?.map(|text| ("attestation", text)));
    let publication = Publication { zip: &zip, name: &name, fields: &fields };
    let bar = progress_bar(0, "{bar:30} {bytes}/{total_bytes}");
    let published = publish(&http, &chosen.address, &token, &publication, &mut |sent, total| {
        bar.set_length(total.unwrap_or(sent));
        bar.set_position(sent);
    });
    bar.finish_and_clear();
    let receipt = published?;
    let mut text = arguments.text(&package, &warnings, &receipt, chosen) + &left_out_line(&left_out);
    let mut json = receipt.json;
    json["leftOut"] = serde_json::to_value(&left_out).unwrap_or_default();
    if arguments.dry_run {
        let foreseen = foresee(&chosen.source()?, &receipt.published)?;
        text = text.replacen('\n', &format!("\n{}\n", sentence(&foreseen)), 1);
        json["foreseen"] = serde_json::to_value(&foreseen).unwrap_or_default();
    }
    Ok(Report { text, json })
}

/// What a dry run found out at the registry.
fn sentence(foreseen: &Foreseen) -> String {
    let what = match (&foreseen.news, &foreseen.latest) {
        (News::Skill, _) => "it would be a new skill".to_owned(),
        (News::Version, Some(latest)) => format!("it would be a new version; the latest there is {latest}"),
        (News::Version, None) => "it would be a new version".to_owned(),
        (News::Nothing, _) => "it is there already, with the same content".to_owned(),
    };
    what + if foreseen.review { ", and would wait for a review" } else { "" }
}

impl Arguments {
    /// The token of a person, or else the job in which this runs.
    fn credential(&self, chosen: &RegistryChoice, http: &Http) -> Result<Credential, ClientError> {
        if let Some(token) = chosen.known_token().filter(|_| !self.trusted) {
            return Ok(Credential::Person(token));
        }
        match Job::of_environment(&|name| std::env::var(name).ok())? {
            Some(job) => Ok(Credential::Job(job)),
            None if self.trusted => {
                let why = "this is no job with a token: give it `permissions: id-token: write` at GitHub, or \
                           SKILLMIRROR_ID_TOKEN by `id_tokens` at GitLab";
                Err(ClientError::Unsupported(why.into()))
            }
            None => chosen.token(http, "does not accept packages").map(Credential::Person),
        }
    }

    /// Exchanges the token of a job for one that publishes this package.
    fn exchange(
        &self,
        job: &Job,
        chosen: &RegistryChoice,
        http: &Http,
        package: &Package,
    ) -> Result<Token, ClientError> {
        let skill = skill_of(&package.manifest, self.namespace.as_ref(), self.slug.as_ref())?;
        let token = job.exchange(http, &chosen.address, &skill.namespace, Some(&skill.slug))?;
        if !self.options.json {
            print_note(format!(
                "publishing {} with the token of this job ({})",
                skill.scoped(),
                job.system()
            ));
        }
        Ok(token)
    }

    /// The text of the attestation, which must be about this package.
    fn attestation(&self, package: &Digest) -> Result<Option<String>, ClientError> {
        let Some(path) = &self.attestation else { return Ok(None) };
        let failed = |why: String| ClientError::File { path: path.clone(), why };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(|why| failed(why.to_string()))?;
        file.take(MAX_ATTESTATION as u64 + 1)
            .read_to_string(&mut text)
            .map_err(|why| failed(why.to_string()))?;
        let read = Attestation::parse(text).map_err(failed)?;
        read.check_subject(package).map_err(failed)?;
        Ok(Some(read.text().to_owned()))
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

    /// What was done. `known` are the warnings that were shown before.
    fn text(
        &self,
        package: &Package,
        known: &[Finding],
        receipt: &Receipt,
        chosen: &RegistryChoice,
    ) -> String {
        let done = &receipt.published;
        let what = format!("{} {}", SkillReference::argument(&done.canonical_slug), done.version);
        let address = &chosen.address;
        let published = || file_list::paths(&package.files);
        let (sentence, files) = match (done.status, &done.review_id) {
            _ if self.dry_run => {
                let files = package.files.iter().map(|file| (file.path.as_str(), file.size));
                let sentence = format!("{address} would accept {what}: nothing was published");
                (sentence, file_list::with_sizes(files))
            }
            (PublishStatus::PendingReview, Some(review)) => {
                let sentence = format!(
                    "submitted {what} to {address}: it waits for review {review}, and is public once approved"
                );
                let namespace = &done.canonical_slug.namespace;
                let after = format!(
                    "`skillmirror me` shows what became of it, and `skillmirror review withdraw {namespace} {review}` \
                     takes it back\n"
                );
                (sentence, published() + &after)
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
        let known: Vec<Finding> = known.iter().map(Finding::without_column).collect();
        for warning in done.warnings.iter().filter(|warning| !known.contains(warning)) {
            text += &format!("warning: {}\n", escape_line(warning));
        }
        text
    }
}
