//! `skillmirror publisher`: the jobs of CI systems that may publish.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::ClientError;
use client::http::Http;
use client::publish::job_token::Job;
use client::registry_choice::RegistryChoice;
use registry::api::private::{PublisherRecord, PublisherTerms};
use registry::api::public::FullList;
use registry::names::{Namespace, Slug};
use registry::public::Id;
use serde_json::{Value, json};

use super::{NamespaceArguments, report};
use crate::client_commands::Report;
use crate::client_commands::read_login::secret;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{borderless, table_text};

/// Let jobs of a CI system publish without a stored secret
///
/// A trusted publisher names a repository and a workflow. Their jobs publish in your name, each with a token of 30
/// minutes, and never with yours.
#[derive(Subcommand)]
#[command(after_help = "
    publisher add tools acme/skills --owner-id 1234  # Jobs of its publish.yml
    publisher list tools      # Who may publish there
    publisher remove tools 7  # No longer
")]
pub enum Command {
    /// Add a trusted publisher. Asks for your password
    #[command(after_help = "
        publisher add tools acme/skills --owner-id 1234  # Jobs of its publish.yml
    ")]
    Add(AddArguments),
    /// List the trusted publishers of a namespace and its skills
    #[command(after_help = "publisher list tools  # With their numbers")]
    List(NamespaceArguments),
    /// Print a token of this job, which publishes every skill of a namespace for 30 minutes
    ///
    /// `publish` gets a token by itself for each skill. A job that has one token of its CI system for several skills
    /// needs this instead. Put it into SKILLMIRROR_TOKEN.
    #[command(
        after_help = "publisher token tools  # In a job that a trusted publisher of the namespace admits"
    )]
    Token(NamespaceArguments),
    /// Remove a trusted publisher. Asks for your password
    #[command(after_help = "publisher remove tools 7  # Running jobs can publish no more either")]
    Remove(RemoveArguments),
}

/// A publisher to add.
#[derive(Args)]
pub struct AddArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// The owner and name of the repository
    #[arg(value_name = "REPO")]
    repository: String,
    /// The only skill that it may publish, which need not exist yet [default: every skill of the namespace]
    #[arg(long, value_name = "SLUG")]
    skill: Option<Slug>,
    /// The CI system, as the registry names it: github, gitlab, or another one of its settings
    #[arg(long, value_name = "NAME", default_value = "github")]
    issuer: String,
    /// The number of the owner: $GITHUB_REPOSITORY_OWNER_ID or $CI_PROJECT_NAMESPACE_ID in a job
    ///
    /// Names can become free and be taken by somebody else; numbers cannot. For GitHub see
    /// https://api.github.com/users/OWNER, for GitLab the page of the group or user.
    #[arg(long, value_name = "ID")]
    owner_id: String,
    /// The file of the workflow, such as .gitlab-ci.yml at GitLab
    #[arg(long, value_name = "FILE", default_value = "publish.yml")]
    workflow: String,
    /// The environment in which its jobs must run [default: any]
    #[arg(long, value_name = "NAME")]
    environment: Option<String>,
    /// Show repository and commit to everybody, even if the repository is private
    #[arg(long)]
    show_private: bool,
    /// Read your password from a line of standard input
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A publisher to remove.
#[derive(Args)]
pub struct RemoveArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// The number of the publisher, as `publisher list` shows it
    #[arg(value_name = "ID")]
    id: Id,
    /// Read your password from a line of standard input
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Add(arguments) => arguments.options.run(|chosen| add(arguments, chosen)),
        Command::List(arguments) => arguments.options.run(|chosen| list(&arguments.namespace, chosen)),
        Command::Token(arguments) => arguments.options.run(|chosen| token(&arguments.namespace, chosen)),
        Command::Remove(arguments) => arguments.options.run(|chosen| remove(arguments, chosen)),
    }
}

fn add(arguments: &AddArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let AddArguments { namespace, skill, issuer, repository, owner_id, workflow, environment, .. } =
        arguments;
    let password = secret("Your password", &chosen.address, arguments.password_stdin)?;
    let body = json!({
        "skill": skill, "issuer": issuer, "repository": repository, "ownerId": owner_id, "workflow": workflow,
        "environment": environment, "showPrivate": arguments.show_private, "password": password,
    });
    report(
        chosen,
        |of| of.post::<PublisherRecord>(&format!("/api/v1/namespaces/{namespace}/publishers"), body),
        |added| {
            let PublisherTerms { repository, workflow, .. } = &added.terms;
            format!(
                "jobs of {workflow} in {repository} may publish {} now (number {})\n",
                what(added),
                added.id
            )
        },
    )
}

fn list(namespace: &Namespace, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let text = |list: &FullList<PublisherRecord>| {
        if list.items.is_empty() {
            return format!("no job may publish in @{namespace}: `skillmirror publisher add`\n");
        }
        let cells = |known: &PublisherRecord| {
            let PublisherTerms { issuer, repository, workflow, environment, .. } = known.terms.clone();
            let environment = environment.unwrap_or_else(|| "any".into());
            let by = known.added_by.to_string();
            vec![known.id.to_string(), what(known), repository, workflow, environment, issuer, by]
        };
        let heads = ["ID", "SKILL", "REPOSITORY", "WORKFLOW", "ENVIRONMENT", "ISSUER", "BY"];
        table_text(borderless(heads, list.items.iter().map(cells)))
    };
    report(chosen, |of| of.get(&format!("/api/v1/namespaces/{namespace}/publishers")), text)
}

fn token(namespace: &Namespace, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let job = Job::of_environment(&|name| std::env::var(name).ok())?.ok_or_else(Job::missing)?;
    let token = job.exchange(&Http::to(&chosen.address), &chosen.address, namespace, None)?;
    Ok(Report { text: format!("{}\n", token.reveal()), json: json!({ "token": token.reveal() }) })
}

fn remove(arguments: &RemoveArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RemoveArguments { namespace, id, .. } = arguments;
    let password = secret("Your password", &chosen.address, arguments.password_stdin)?;
    let path = format!("/api/v1/namespaces/{namespace}/publishers/{id}/remove");
    report(
        chosen,
        |of| of.post::<Value>(&path, json!({ "password": password })),
        |_| format!("the trusted publisher {id} of @{namespace} is removed: its jobs can publish no more\n"),
    )
}

/// The skills that a publisher may publish.
fn what(of: &PublisherRecord) -> String {
    match &of.terms.slug {
        Some(slug) => format!("@{}/{slug}", of.terms.namespace),
        None => format!("@{}/*", of.terms.namespace),
    }
}
