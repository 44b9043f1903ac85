//! Indexes at well-known addresses, and marketplaces: one document with the addresses of all skills.

use registry::names::{Coordinate, Digest, Slug};
use registry::package::PackagePath;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use super::fetcher::{Fetcher, shown};
use super::offer::{Content, Entries, Offer, short};
use crate::config::source::SourceSection;

/// The index of the version 0.2.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

#[derive(Deserialize)]
struct Index {
    #[serde(rename = "$schema")]
    schema: Option<String>,
    skills: Entries,
}

/// A skill of an index of either version.
#[derive(Deserialize)]
struct Entry {
    name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    url: Option<String>,
    digest: Option<String>,
    #[serde(default)]
    files: Vec<String>,
}

/// The skills of `.well-known/agent-skills/index.json` or `.well-known/skills/index.json`.
pub fn index(
    fetcher: &Fetcher,
    address: &Url,
    source: &SourceSection,
    max_files: usize,
) -> Result<Vec<Offer>, String> {
    let Index { schema, skills } = fetcher.json(address)?;
    if let Some(other) = schema.as_deref().filter(|schema| *schema != SCHEMA) {
        return Err(format!("{address}: the index has the unknown form {:?}", short(other)));
    }
    let offer = |(name, entry): (String, Box<RawValue>)| {
        let entry = serde_json::from_str::<Entry>(entry.get())
            .map_err(|why| format!("its entry in the index is invalid: {why}"))
            .and_then(|entry| entry.name.parse::<Slug>().map(|_| entry).map_err(|why| why.to_string()));
        match entry {
            Err(why) => Offer::of(&name, shown(address), Err(why)),
            Ok(entry) if schema.is_some() => described(address, &entry),
            Ok(entry) => listed(address, &entry, max_files),
        }
    };
    Ok(skills.wanted(source.max_skills, &source.skills)?.into_iter().map(offer).collect())
}

/// A skill of an index of the version 0.2.
fn described(index: &Url, entry: &Entry) -> Offer {
    let url = web_address(index, entry.url.as_deref().unwrap_or_default());
    let digest = entry.digest.as_deref().unwrap_or_default().strip_prefix("sha256:").map(str::parse);
    let content = match (&url, entry.kind.as_deref(), &digest) {
        (Err(why), ..) => Err(why.clone()),
        (_, _, None | Some(Err(_))) => Err("the index has no sha256 of it".to_owned()),
        (Ok(url), Some("archive"), _) => Ok(Content::Archive(url.clone())),
        (Ok(url), Some("skill-md"), _) => Ok(Content::SkillMd(url.clone())),
        _ => Err("it is neither an archive nor a SKILL.md".to_owned()),
    };
    let address = url.as_ref().map_or_else(|_| shown(index), shown);
    Offer { digest: digest.and_then(Result::ok), ..Offer::of(&entry.name, address, content) }
}

/// A skill of an index of the older form, which lists its files.
fn listed(index: &Url, entry: &Entry, max_files: usize) -> Offer {
    let file = |path: &String| {
        PackagePath::parse(path).map_err(|why| format!("{}: {}", short(path), why.message))?;
        let mut url = index.join(".").map_err(|why| why.to_string())?;
        let segments = url.path_segments_mut();
        let mut segments = segments.map_err(|()| "the index has no folder".to_owned())?;
        segments.pop_if_empty().push(&entry.name).extend(path.split('/'));
        drop(segments);
        Ok((path.clone(), url))
    };
    let content = match entry.files.len() <= max_files {
        true => entry.files.iter().map(file).collect::<Result<Vec<_>, String>>(),
        false => Err(format!("it has {} files, more than {max_files}", entry.files.len())),
    };
    let content = content.and_then(|mut files| {
        files.sort_by_key(|(path, _)| path != "SKILL.md");
        match files.first() {
            Some((path, _)) if path == "SKILL.md" => Ok(files),
            _ => Err("its entry in the index lists no SKILL.md".to_owned()),
        }
    });
    let address = content.as_ref().ok().and_then(|files| files.first()).map(|(_, url)| shown(url));
    let address = address.unwrap_or_else(|| shown(index));
    Offer::of(&entry.name, address, content.map(Content::Files))
}

#[derive(Deserialize)]
struct Marketplace {
    plugins: Entries,
}

#[derive(Deserialize)]
struct Plugin {
    name: String,
    version: Option<String>,
    /// The name of a folder, or a [`PluginArchive`].
    source: Box<RawValue>,
}

#[derive(Deserialize)]
struct PluginArchive {
    source: String,
    url: String,
    sha256: Option<String>,
}

/// The plugins of a marketplace.json. An archive with one skill is a skill.
pub fn marketplace(fetcher: &Fetcher, address: &Url, source: &SourceSection) -> Result<Vec<Offer>, String> {
    let Marketplace { plugins } = fetcher.json(address)?;
    let offer = |(name, plugin): (String, Box<RawValue>)| {
        let refused = |why: String| Offer::of(&name, shown(address), Err(why));
        let neither = || refused("its source is neither an archive nor a folder".to_owned());
        let plugin = match serde_json::from_str::<Plugin>(plugin.get()) {
            Ok(plugin) if plugin.name.parse::<Coordinate>().is_ok() => plugin,
            Ok(_) => return refused("its name is not that of a skill".to_owned()),
            Err(_) => return neither(),
        };
        if let Ok(folder) = serde_json::from_str::<String>(plugin.source.get()) {
            return refused(format!(
                "it is the folder {:?} of a repository: follow that with a source of the kind git",
                short(&folder)
            ));
        }
        let Ok(PluginArchive { source, url, sha256 }) = serde_json::from_str(plugin.source.get()) else {
            return neither();
        };
        let digest = sha256.as_deref().map(str::parse::<Digest>);
        let (url, digest) = match (web_address(address, &url), digest) {
            _ if source != "archive" => {
                return refused(format!(
                    "its source is {:?}, and only archives are followed",
                    short(&source)
                ));
            }
            (_, None | Some(Err(_))) => return refused("the marketplace has no sha256 of it".to_owned()),
            (Err(why), _) => return refused(why),
            (Ok(url), Some(Ok(digest))) => (url, digest),
        };
        Offer {
            digest: Some(digest),
            version: plugin.version.as_deref().map(short),
            is_version_firm: true,
            ..Offer::of(&plugin.name, shown(&url), Ok(Content::Archive(url)))
        }
    };
    Ok(plugins.wanted(source.max_skills, &source.skills)?.into_iter().map(offer).collect())
}

/// An http(s) address, perhaps relative to that of the document, without credential.
fn web_address(document: &Url, text: &str) -> Result<Url, String> {
    let url = document.join(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    url.ok_or_else(|| format!("its address {:?} is not an http(s) address without a user name", short(text)))
}
