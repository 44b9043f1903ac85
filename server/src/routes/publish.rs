//! A package comes in.

use std::sync::Arc;

use hyper::StatusCode;
use registry::names::{Coordinate, Digest, Namespace, TagName, TolerantVersion};
use registry::ops::publish::{Contradiction, Publish, PublishReply, publish};
use registry::package::{Claim, Package, Reading, Source};
use registry::public::Archive;

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
    let (reply, receipt) = blocking(move || accept(&at, &by, form, fields)).await?;
    let status = if reply.is_new && receipt.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    let response = json(status, &reply)?;
    Ok(match receipt {
        Some(receipt) => written(app, receipt, response).await,
        None => response,
    })
}

/// Validates, decides, stores the package, and only then commits: what is
/// refused leaves nothing behind.
fn accept(
    app: &App,
    by: &registry::Caller,
    form: Form,
    fields: Fields,
) -> Result<(PublishReply, Option<Receipt>), Problem> {
    let Some(file) = &form.file else { return Err(Problem::internal("a form without its file")) };
    let name = file.filename.as_deref().map(|name| name.strip_suffix(".zip").unwrap_or(name));
    let source = Source { name, reading: Reading::Strict, limits: &app.settings.package };
    let package = Package::from_zip(&file.bytes, &source)?;
    // From here on the upload is held as its entries; its bytes are of no use.
    drop(form);
    let stored = app.registry.read(|catalog| catalog.archive(&package.content_digest()));
    let made = if stored.is_none() { Some(package.archive().map_err(Problem::internal)?) } else { None };
    let of_bytes = |bytes: &Vec<u8>| Archive { sha256: Digest::of(bytes), size: bytes.len() as u64 };
    let archive = stored.or(made.as_ref().map(of_bytes));
    let archive = archive.ok_or_else(|| Problem::internal("a package without its archive"))?;
    let input = Publish {
        package: &package,
        archive,
        namespace: fields.namespace,
        named: fields.named,
        contradiction: Contradiction::Refused,
        version: fields.version,
        changelog: fields.changelog,
        tags: fields.tags,
        source_published_at: None,
    };
    let rehearsal =
        app.registry.rehearse(by, |catalog, actor, moment| publish(catalog, actor, &input, moment))?;
    if fields.dry_run || !rehearsal.is_new {
        return Ok((rehearsal, None));
    }
    if let Some(bytes) = &made {
        app.registry.put_blob(bytes)?;
    }
    let committed =
        app.registry.commit(by, |catalog, actor, moment| publish(catalog, actor, &input, moment))?;
    let receipt = Receipt::from(&committed);
    Ok((committed.reply, Some(receipt)))
}
