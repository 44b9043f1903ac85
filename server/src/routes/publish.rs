//! A package comes in.

use std::sync::Arc;

use hyper::StatusCode;
use registry::Committed;
use registry::names::{Coordinate, Namespace, TagName, TolerantVersion};
use registry::ops::publish::{Contradiction, PublishReply};
use registry::package::{Claim, Package, Reading, Source};
use registry::publishing::{Incoming, Mode};

use super::fields::parse_field;
use crate::Response;
use crate::answer::{Receipt, blocking, json, written};
use crate::auth::Caller;
use crate::multipart::{self, Form};
use crate::problem::Problem;
use crate::request::Request;
use crate::state::App;

const FIELDS: &[&str] = &["namespace", "slug", "version", "changelog", "tags", "dryRun"];

/// The form's fields, read.
struct Fields {
    namespace: Option<Namespace>,
    named: Option<Claim>,
    version: Option<(TolerantVersion, String)>,
    changelog: String,
    tags: Vec<TagName>,
    dry_run: bool,
}

impl Fields {
    fn read(form: &Form) -> Result<Self, Problem> {
        let get = |name: &str| form.fields.get(name).map(String::as_str);
        let read = |text: &str| Ok::<_, Problem>((parse_field("version", text)?, text.to_owned()));
        let version = get("version").map(read);
        let tags = get("tags").map(|list| {
            list.split(',')
                .map(|tag| parse_field("tags", tag.trim()))
                .collect::<Result<Vec<TagName>, Problem>>()
        });
        Ok(Self {
            namespace: get("namespace").map(|text| parse_field("namespace", text)).transpose()?,
            named: get("slug").map(claim).transpose()?,
            version: version.transpose()?,
            changelog: get("changelog").unwrap_or_default().to_owned(),
            tags: tags.transpose()?.unwrap_or_default(),
            dry_run: match get("dryRun") {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(Problem::invalid_field("dryRun", "must be true or false")),
            },
        })
    }
}

/// A slug, or a canonical slug with its namespace.
fn claim(text: &str) -> Result<Claim, Problem> {
    if text.contains("--") {
        let Coordinate { namespace, slug } = parse_field("slug", text)?;
        return Ok(Claim { namespace: Some(namespace), slug });
    }
    Ok(Claim { namespace: None, slug: parse_field("slug", text)? })
}

/// `POST /api/v1/publish`.
pub async fn handle(app: &Arc<App>, caller: &Caller, mut request: Request) -> Result<Response, Problem> {
    let form = multipart::form(&mut request, FIELDS, app.settings.edge.zip, &app.uploads).await?;
    let fields = Fields::read(&form)?;
    if form.file.is_none() {
        return Err(Problem::invalid_field("file", "is missing: send the zip of the skill in this part"));
    }
    let (by, at) = (caller.of(&request), Arc::clone(app));
    let done = blocking(move || accept(&at, &by, form, fields)).await?;
    let status = if done.revision.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    Ok(written(app, Receipt::from(&done), json(status, &done.reply)?).await)
}

/// Validates the package and hands it to the registry.
fn accept(
    app: &App,
    by: &registry::Caller,
    form: Form,
    fields: Fields,
) -> Result<Committed<PublishReply>, Problem> {
    let Some(file) = &form.file else { return Err(Problem::internal("a form without its file")) };
    let name = file.filename.as_deref().map(|name| name.strip_suffix(".zip").unwrap_or(name));
    let source = Source { name, reading: Reading::Strict, limits: &app.settings.package };
    let package = Package::from_zip(&file.bytes, &source)?;
    // From here on the upload is held as its entries; its bytes are of no use.
    drop(form);
    let incoming = Incoming {
        package: &package,
        namespace: fields.namespace,
        named: fields.named,
        contradiction: Contradiction::Refused,
        version: fields.version,
        changelog: fields.changelog,
        tags: fields.tags,
        source_published_at: None,
    };
    let mode = if fields.dry_run { Mode::Rehearse } else { Mode::Commit };
    Ok(app.registry.publish(by, incoming, mode)?)
}
