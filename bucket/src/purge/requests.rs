//! The requests that purge what is on a list.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use ureq::http::{Method, Request};

use super::PurgeService;
use super::list::PurgeList;

/// What the services take in one request.
const CLOUDFLARE_AT_ONCE: usize = 30;
const FASTLY_TAGS_AT_ONCE: usize = 256;

/// Paths that CloudFront gets one by one. Each costs money, and `/*` costs as much as one of them.
const MAX_CLOUDFRONT_PATHS: usize = 10;

/// The usual addresses of the APIs.
const CLOUDFLARE: &str = "https://api.cloudflare.com";
const FASTLY: &str = "https://api.fastly.com";
const CLOUDFRONT: &str = "https://cloudfront.amazonaws.com";

/// A request with its body.
pub type PurgeRequest = Request<String>;

/// The requests for a list. CloudFront's are not signed yet. `id` tells this list from earlier ones.
/// None for a command.
pub fn requests(
    service: &PurgeService,
    endpoint: Option<&str>,
    list: &PurgeList,
    id: &str,
) -> Result<Vec<PurgeRequest>, ureq::http::Error> {
    match service {
        PurgeService::Cloudflare { zone, token } => {
            let api = endpoint.unwrap_or(CLOUDFLARE);
            let url = format!("{api}/client/v4/zones/{zone}/purge_cache");
            let bodies: Vec<_> = match list {
                PurgeList::Everything => vec![json!({"purge_everything": true})],
                PurgeList::Tags(tags) => parts(tags, CLOUDFLARE_AT_ONCE, |part| json!({"tags": part})),
                PurgeList::Urls(urls) => parts(urls, CLOUDFLARE_AT_ONCE, |part| json!({"files": part})),
            };
            let request =
                |body: &Value| post(&url, ("Authorization", &format!("Bearer {token}")), body.to_string());
            bodies.iter().map(request).collect()
        }
        PurgeService::Fastly { service, token } => {
            let api = endpoint.unwrap_or(FASTLY);
            let post = |url: String, body: String| post(&url, ("Fastly-Key", token), body);
            match list {
                PurgeList::Everything => {
                    Ok(vec![post(format!("{api}/service/{service}/purge_all"), String::new())?])
                }
                PurgeList::Tags(tags) => {
                    let bodies = parts(tags, FASTLY_TAGS_AT_ONCE, |part| json!({"surrogate_keys": part}));
                    let url = format!("{api}/service/{service}/purge");
                    bodies.iter().map(|body| post(url.clone(), body.to_string())).collect()
                }
                PurgeList::Urls(urls) => {
                    let bare =
                        |url: &str| url.split_once("://").map_or(String::new(), |(_, rest)| rest.to_owned());
                    urls.iter().map(|url| post(format!("{api}/purge/{}", bare(url)), String::new())).collect()
                }
            }
        }
        PurgeService::CloudFront { distribution } => {
            let api = endpoint.unwrap_or(CLOUDFRONT);
            let url = format!("{api}/2020-05-31/distribution/{distribution}/invalidation");
            post(&url, ("Content-Type", "text/xml"), invalidation(list, id)).map(|request| vec![request])
        }
        PurgeService::Command(_) => Ok(Vec::new()),
    }
}

fn parts(all: &BTreeSet<String>, most: usize, body: impl Fn(&[&String]) -> Value) -> Vec<Value> {
    all.iter().collect::<Vec<_>>().chunks(most).map(body).collect()
}

fn post(url: &str, header: (&str, &str), body: String) -> Result<PurgeRequest, ureq::http::Error> {
    let request = Request::builder().method(Method::POST).uri(url).header(header.0, header.1);
    let is_json = body.starts_with('{');
    let request = if is_json { request.header("Content-Type", "application/json") } else { request };
    request.body(body)
}

/// CloudFront has no tags, and a path ends with `*` at most.
fn invalidation(list: &PurgeList, id: &str) -> String {
    let paths: BTreeSet<&str> = match list {
        PurgeList::Urls(urls) if urls.len() <= MAX_CLOUDFRONT_PATHS => {
            urls.iter().map(|url| path_of(url)).collect()
        }
        _ => BTreeSet::from(["/*"]),
    };
    let items: String =
        paths.iter().map(|path| format!("<Path>{}</Path>", path.replace('&', "&amp;"))).collect();
    format!(
        "<InvalidationBatch xmlns=\"http://cloudfront.amazonaws.com/doc/2020-05-31/\"><Paths><Quantity>{}</Quantity>\
         <Items>{items}</Items></Paths><CallerReference>skillmirror-{id}</CallerReference></InvalidationBatch>",
        paths.len()
    )
}

fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |start| &rest[start..])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn asked(service: &PurgeService, list: &PurgeList) -> Vec<(String, String)> {
        let made = requests(service, None, list, "1").unwrap();
        made.into_iter().map(|request| (request.uri().to_string(), request.into_body())).collect()
    }

    fn urls(count: usize) -> PurgeList {
        PurgeList::Urls((0..count).map(|n| format!("https://skills.example.org/a/{n:02}?b&c")).collect())
    }

    #[test]
    fn long_lists_are_cut_into_requests() {
        let cloudflare = PurgeService::Cloudflare { zone: "z".into(), token: "t".into() };
        let asked_of = asked(&cloudflare, &urls(31));
        assert_eq!(asked_of.len(), 2);
        assert_eq!(asked_of[1].0, "https://api.cloudflare.com/client/v4/zones/z/purge_cache");
        assert_eq!(asked_of[1].1, r#"{"files":["https://skills.example.org/a/30?b&c"]}"#);
        let tags = PurgeList::Tags(BTreeSet::from(["lists".to_owned()]));
        assert_eq!(asked(&cloudflare, &tags)[0].1, r#"{"tags":["lists"]}"#);
        assert_eq!(asked(&cloudflare, &PurgeList::Everything)[0].1, r#"{"purge_everything":true}"#);
        let fastly = PurgeService::Fastly { service: "s".into(), token: "t".into() };
        assert_eq!(asked(&fastly, &urls(1))[0].0, "https://api.fastly.com/purge/skills.example.org/a/00?b&c");
        assert_eq!(asked(&fastly, &tags)[0].1, r#"{"surrogate_keys":["lists"]}"#);
        assert_eq!(asked(&fastly, &PurgeList::Everything)[0].0, "https://api.fastly.com/service/s/purge_all");
    }

    #[test]
    fn cloudfront_gets_few_paths_or_all() {
        let cloudfront = PurgeService::CloudFront { distribution: "D".into() };
        let (url, body) = asked(&cloudfront, &urls(2)).remove(0);
        assert_eq!(url, "https://cloudfront.amazonaws.com/2020-05-31/distribution/D/invalidation");
        assert!(body.contains("<Quantity>2</Quantity><Items><Path>/a/00?b&amp;c</Path>"), "{body}");
        for list in [urls(11), PurgeList::Everything, PurgeList::Tags(BTreeSet::new())] {
            let body = asked(&cloudfront, &list).remove(0).1;
            assert!(body.contains("<Quantity>1</Quantity><Items><Path>/*</Path>"), "{body}");
        }
    }
}
