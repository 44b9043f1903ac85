//! From the claims of a token to the job that it is about.

use registry::private::Job;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Events in which GitHub runs a workflow of the repository for code of strangers.
const EVENTS_OF_STRANGERS: &[&str] = &["pull_request_target", "workflow_run"];

/// Pipelines that GitLab may run in a project for code of a fork.
const PIPELINES_OF_STRANGERS: &[&str] =
    &["merge_request_event", "external_pull_request_event", "parent_pipeline"];

/// The issuer of GitHub's own tokens, whose host is not the one of the repositories.
pub const GITHUB: &str = "https://token.actions.githubusercontent.com";

/// Where GitHub has workflow files.
pub const WORKFLOWS: &str = ".github/workflows/";

/// How an issuer says which job a token is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// As GitHub Actions does.
    Github,
    /// As GitLab CI does.
    Gitlab,
    /// In claims with these names.
    Claims(ClaimNames),
}

/// The names of the claims of another issuer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimNames {
    /// The owner and name of the repository.
    pub repository: String,
    /// The id of the owner.
    pub owner_id: String,
    /// What is compared with the workflow file of a publisher.
    pub workflow: String,
    /// The commit.
    pub commit: String,
    /// The environment.
    pub environment: Option<String>,
    /// The branch or tag.
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
    /// The number of the run.
    pub run: Option<String>,
    /// Says `public` or `true` for a repository that everybody can see.
    pub visibility: Option<String>,
}

/// The claims of a verified token.
struct Claims<'a>(&'a Map<String, Value>);

impl Claims<'_> {
    /// A claim that is a text or a whole number.
    fn get(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(is) => Some(is.to_string()),
            _ => None,
        }
    }

    fn need(&self, name: &str) -> Result<String, String> {
        self.get(name).ok_or_else(|| format!("the token has no claim `{name}`: it is not the token of a job"))
    }
}

/// Reads the job of a verified token. The error is a sentence about it.
pub fn job(kind: &TokenKind, issuer: &str, claims: &Map<String, Value>) -> Result<Job, String> {
    let claims = Claims(claims);
    let job = match kind {
        TokenKind::Github => github(issuer, &claims)?,
        TokenKind::Gitlab => gitlab(issuer, &claims)?,
        TokenKind::Claims(names) => by_names(names, issuer, &claims)?,
    };
    match job.unusable_field() {
        None => Ok(job),
        Some(field) => Err(format!("the token has an unusable {field}: it must be a word of visible ASCII")),
    }
}

fn github(issuer: &str, claims: &Claims<'_>) -> Result<Job, String> {
    let event = claims.need("event_name")?;
    if EVENTS_OF_STRANGERS.contains(&&*event) {
        return Err(format!(
            "jobs of the event `{event}` may not publish, because they can run code of strangers: use `push`, `release` \
             or `workflow_dispatch`"
        ));
    }
    let repository = claims.need("repository")?;
    // The workflow that was started; `job_workflow_ref` is the one that it calls, perhaps elsewhere.
    let (name, reference) = match claims.get("workflow_ref") {
        Some(reference) => ("workflow_ref", reference),
        None => ("job_workflow_ref", claims.need("job_workflow_ref")?),
    };
    let path = without_ref(&reference);
    let file = strip_start(path, &format!("{repository}/{WORKFLOWS}"))
        .ok_or_else(|| format!("the claim `{name}` of the token is no workflow file of {repository}"))?;
    Ok(Job {
        issuer: issuer.to_owned(),
        host: if issuer.starts_with(GITHUB) { "github.com".to_owned() } else { host(issuer) },
        workflow: file.to_owned(),
        owner_id: claims.need("repository_owner_id")?,
        environment: claims.get("environment"),
        commit: claims.need("sha")?,
        git_ref: claims.get("ref"),
        run: claims.get("run_id"),
        is_public: claims.get("repository_visibility").as_deref() == Some("public"),
        repository,
    })
}

fn gitlab(issuer: &str, claims: &Claims<'_>) -> Result<Job, String> {
    let source = claims.need("pipeline_source")?;
    if PIPELINES_OF_STRANGERS.contains(&&*source) {
        return Err(format!(
            "pipelines of the source `{source}` may not publish, because they can run code of a fork: use a branch or a \
             tag"
        ));
    }
    let git_ref = claims.get("ref_path").or_else(|| claims.get("ref"));
    if git_ref.as_ref().is_some_and(|name| name.starts_with("refs/merge-requests/")) {
        return Err("pipelines of a merge request may not publish: use a branch or a tag".into());
    }
    let project = claims.need("project_path")?;
    let configuration = claims.need("ci_config_ref_uri")?;
    let (of, file) = without_ref(&configuration).split_once("//").unwrap_or_default();
    let is_own = of.len() > project.len() && ends_with(of, &format!("/{project}"));
    if !is_own || file.is_empty() {
        return Err(format!("the claim `ci_config_ref_uri` of the token is no file of {project}"));
    }
    Ok(Job {
        issuer: issuer.to_owned(),
        host: host(issuer),
        workflow: file.to_owned(),
        owner_id: claims.need("namespace_id")?,
        environment: claims.get("environment"),
        commit: claims.need("sha")?,
        git_ref,
        run: claims.get("pipeline_id"),
        is_public: claims.get("project_visibility").as_deref() == Some("public"),
        repository: project,
    })
}

fn by_names(names: &ClaimNames, issuer: &str, claims: &Claims<'_>) -> Result<Job, String> {
    let optional = |name: &Option<String>| claims.get(name.as_deref()?);
    let visibility = optional(&names.visibility);
    Ok(Job {
        issuer: issuer.to_owned(),
        host: host(issuer),
        repository: claims.need(&names.repository)?,
        owner_id: claims.need(&names.owner_id)?,
        workflow: claims.need(&names.workflow)?,
        commit: claims.need(&names.commit)?,
        environment: optional(&names.environment),
        git_ref: optional(&names.git_ref),
        run: optional(&names.run),
        is_public: matches!(visibility.as_deref(), Some("public" | "true")),
    })
}

/// A path in a repository without the `@refs/…` after it.
fn without_ref(reference: &str) -> &str {
    // The name of a tag may have an `@`, too.
    let parts = reference.split_once("@refs/").or_else(|| reference.rsplit_once('@'));
    parts.map_or(reference, |(path, _)| path)
}

/// The rest of a text that begins with `start`, in any case.
fn strip_start<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    (head.eq_ignore_ascii_case(start) && !rest.is_empty()).then_some(rest)
}

/// Whether a text ends with `end`, in any case.
fn ends_with(text: &str, end: &str) -> bool {
    let at = text.len().checked_sub(end.len());
    at.and_then(|at| text.get(at..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// The host of an issuer.
fn host(issuer: &str) -> String {
    let rest = issuer.split_once("://").map_or(issuer, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_ascii_lowercase()
}
