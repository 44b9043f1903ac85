//! A registry, asked as a signed-in person.

use registry::api::private::Member;
use registry::api::public::{Page, SkillDetail};
use registry::names::{Coordinate, Digest, Namespace, did_you_mean, nearest};
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::Method;

use super::{PageRequest, Reply, list_namespaces};
use crate::diff::{PackageContents, unpack};
use crate::http::{Answer, Http, JSON_LIMIT, Progress, Upload};
use crate::login::not_a_server;
use crate::registry_choice::RegistryChoice;
use crate::skills::similar_skills;
use crate::source::RawDocument;
use crate::{ClientError, RegistryAddress, Source, Token};

/// What a host without a server lacks, in messages.
const LACK: &str = "has no accounts";

/// The size limit of a package under review: 128 MiB, as for a package of unknown size.
const PACKAGE_LIMIT: u64 = 128 << 20;

/// A registry and the token of a person.
pub struct SignedIn {
    http: Http,
    registry: RegistryAddress,
    token: Token,
}

impl SignedIn {
    /// The chosen registry with its token.
    ///
    /// Errors: no token is known for the registry, or it is not a server.
    pub fn at(chosen: &RegistryChoice) -> Result<Self, ClientError> {
        let http = Http::to(&chosen.address);
        let token = chosen.token(&http, LACK)?;
        Ok(Self { http, registry: chosen.address.clone(), token })
    }

    /// The chosen registry with its token. None if no token is known.
    pub fn if_known(chosen: &RegistryChoice) -> Option<Self> {
        let token = chosen.known_token()?;
        Some(Self { http: Http::to(&chosen.address), registry: chosen.address.clone(), token })
    }

    /// The address of the registry.
    pub fn registry(&self) -> &RegistryAddress {
        &self.registry
    }

    /// Reads a document.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Reply<T>, ClientError> {
        let read = self.parse(self.read(path, JSON_LIMIT, &mut |_, _| {})?);
        read.map_err(|why| self.explain(path, why))
    }

    /// Reads a page of a list.
    pub fn list<T: DeserializeOwned>(
        &self,
        path: &str,
        page: PageRequest,
    ) -> Result<Reply<Page<T>>, ClientError> {
        self.get(&page.of(path))
    }

    /// Reads a zip, checks its digest and unpacks it. `what` names it in messages.
    pub(super) fn package(
        &self,
        path: &str,
        sha256: &Digest,
        what: &str,
        progress: Progress<'_>,
    ) -> Result<PackageContents, ClientError> {
        let answer = self.checked(self.read(path, PACKAGE_LIMIT, progress)?)?;
        unpack(&answer.body, sha256).map_err(|why| {
            let (what, registry) = (what.to_owned(), self.registry.to_string());
            ClientError::NotThePackage { what, registry, why }
        })
    }

    /// Sends a `POST`. Fields of the body that are null are left out.
    pub fn post<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<Reply<T>, ClientError> {
        self.send(Method::POST, path, Some(body))
    }

    /// Sends a `PUT`. Fields of the body that are null are left out.
    pub fn put<T: DeserializeOwned>(&self, path: &str, body: Value) -> Result<Reply<T>, ClientError> {
        self.send(Method::PUT, path, Some(body))
    }

    /// Sends a `DELETE`.
    pub fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<Reply<T>, ClientError> {
        self.send(Method::DELETE, path, None)
    }

    fn read(&self, path: &str, most: u64, progress: Progress<'_>) -> Result<Answer, ClientError> {
        let url = self.registry.url_of(path).ok_or_else(|| self.not_a_server())?;
        self.http.get(&url, Some(&self.token), most, progress)
    }

    fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Reply<T>, ClientError> {
        let url = self.registry.url_of(path).ok_or_else(|| self.not_a_server())?;
        let body = body.map(|body| given(body).to_string());
        let upload =
            body.as_ref().map(|body| Upload { content_type: "application/json", body: body.as_bytes() });
        let sent = self.parse(self.http.send(method, &url, &self.token, upload.as_ref())?);
        sent.map_err(|why| self.explain(path, why))
    }

    fn parse<T: DeserializeOwned>(&self, answer: Answer) -> Result<Reply<T>, ClientError> {
        Reply::parse(&RawDocument::from(self.checked(answer)?), &self.registry)
    }

    /// The answer if the request succeeded. A host that knows no such request is not a server.
    fn checked(&self, answer: Answer) -> Result<Answer, ClientError> {
        match answer.status {
            200..=299 => Ok(answer),
            // A server takes every method that the client uses.
            405 | 501 => Err(self.not_a_server()),
            status => Err(match (status, answer.refusal()) {
                (404, ClientError::Status { .. }) => self.not_a_server(),
                (_, why) => why,
            }),
        }
    }

    fn not_a_server(&self) -> ClientError {
        not_a_server(&self.registry, LACK)
    }

    /// The error, with the names that somebody may have meant if the thing at this path of the API was not found.
    fn explain(&self, path: &str, why: ClientError) -> ClientError {
        match why {
            ClientError::Problem(problem) if problem.code() == "not_found" => {
                match self.proposed(path).filter(|proposed| !proposed.is_empty()) {
                    Some(names) => {
                        let question = did_you_mean(&names).replacen(": did", "Did", 1);
                        ClientError::Problem(problem.with_advice(Some(question)))
                    }
                    None => ClientError::Problem(problem),
                }
            }
            other => other,
        }
    }

    /// The names that somebody may have meant. None if the path names something else.
    fn proposed(&self, path: &str) -> Option<Vec<String>> {
        let path = path.split('?').next()?.strip_prefix("/api/v1/")?;
        let parts: Vec<&str> = path.split('/').collect();
        let source = Source::open(self.registry.clone());
        match parts.as_slice() {
            ["skills", namespace, slug, ..] => {
                let skill = Coordinate { namespace: namespace.parse().ok()?, slug: slug.parse().ok()? };
                let document = generator::address::Document::Skill(skill.clone());
                let is_there = source.document::<SkillDetail<'_>>(&document).ok()?.is_some();
                (!is_there).then(|| similar_skills(&source, &skill))
            }
            ["namespaces", namespace, rest @ ..] => {
                let namespace: Namespace = namespace.parse().ok()?;
                let all = list_namespaces(&source, PageRequest::first()).ok()?.record.items;
                if all.iter().all(|known| known.state.slug != namespace) {
                    let known = all.iter().map(|known| known.state.slug.as_str());
                    return Some(owned(nearest(namespace.as_str(), known)));
                }
                let ["members", handle, ..] = rest else { return None };
                let path = format!("/api/v1/namespaces/{namespace}/members");
                let members = self.list::<Member>(&path, PageRequest::first()).ok()?.record.items;
                Some(owned(nearest(handle, members.iter().map(|member| member.handle.as_str()))))
            }
            _ => None,
        }
    }
}

/// The path of a skill in the API.
pub fn skill_path(skill: &Coordinate) -> String {
    format!("/api/v1/skills/{}/{}", skill.namespace, skill.slug)
}

/// An object of the given fields, without those that are null.
fn given(fields: Value) -> Value {
    match fields {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}
