//! `skills.toml`: what a project wants. It is optional, and people write it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use registry::names::{Coordinate, Slug};
use serde::Deserialize;

use super::Place;
use registry::data_fault::toml_fault;

use super::fault::{Fault, toml_message};
use super::lock_file::MAX_SKILLS;
use super::place::first_overlap;
use crate::install::Agent;
use crate::merge_marks::{self, Merge};
use crate::{RegistryAddress, Requirement, SkillReference, user_path};

/// The size limit of the file: 1 MiB.
pub const MAX_BYTES: u64 = 1 << 20;

/// What a project wants.
#[derive(Debug, Clone, Default)]
pub struct Manifest {
    /// The registry of all skills that name no other.
    pub registry: Option<RegistryAddress>,
    /// The agents of all skills that name no folders, as the file names them.
    pub agents: Vec<String>,
    /// The folders of all skills that name no others.
    pub folders: Vec<PathBuf>,
    /// The wanted skills.
    pub skills: BTreeMap<Coordinate, WantedSkill>,
}

/// A wanted skill.
#[derive(Debug, Clone)]
pub struct WantedSkill {
    /// The wanted versions.
    pub requirement: Requirement,
    /// The registry, if it is another than that of the project.
    pub registry: Option<RegistryAddress>,
    /// The agents that it names.
    pub agents: Vec<String>,
    /// Where it is wanted.
    pub places: Vec<Place>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    registry: Option<String>,
    agents: Option<Vec<String>>,
    dirs: Option<Vec<String>>,
    #[serde(default)]
    skills: BTreeMap<String, toml::Value>,
}

/// A wanted skill with more than a requirement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    version: Option<String>,
    #[serde(rename = "as")]
    name: Option<String>,
    registry: Option<String>,
    agents: Option<Vec<String>>,
    dirs: Option<Vec<String>>,
}

impl Manifest {
    /// Parses a file. The error says what to correct.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let invalid = |why| Fault::Invalid { why };
        if let Some(Ok(Merge { line, .. }) | Err(line)) = merge_marks::split(text) {
            return Err(invalid(format!(
                "line {line} marks a merge conflict: keep what you want of both sides, delete the marks, then run \
                 `skillmirror install`"
            )));
        }
        let file: File = toml::from_str(text).map_err(|why| invalid(toml_message(text, &why)))?;
        let registry = file.registry.as_deref().map(address).transpose().map_err(invalid)?;
        let folders = folders(file.agents.as_deref(), file.dirs.as_deref()).map_err(invalid)?;
        let default = folders.clone().unwrap_or_else(|| vec!["skills".into()]);
        let agents = file.agents.unwrap_or_default();
        let mut manifest = Self { registry, agents, folders: default, skills: BTreeMap::new() };
        let mut count = 0;
        for (name, value) in file.skills {
            let shown: String = name.chars().take(80).collect();
            let of = |why: String| Fault::Invalid { why: format!("`{}`: {why}", shown.escape_debug()) };
            let (coordinate, wanted) = manifest.wanted(&name, value).map_err(of)?;
            count += wanted.places.len();
            if count > MAX_SKILLS {
                let why =
                    format!("it wants more than {MAX_SKILLS} folders of skills: name fewer skills or agents");
                return Err(invalid(why));
            }
            if manifest.skills.insert(coordinate, wanted).is_some() {
                return Err(of("another entry has the same skill".to_owned()));
            }
        }
        manifest.check_places()?;
        Ok(manifest)
    }

    fn wanted(&self, name: &str, value: toml::Value) -> Result<(Coordinate, WantedSkill), String> {
        let reference: SkillReference = name.parse().map_err(|why: crate::ClientError| why.to_string())?;
        if reference.requirement.is_some() {
            return Err("write the version as its value: `hello = \"1\"`".to_owned());
        }
        let coordinate = reference.coordinate;
        let entry = match value {
            toml::Value::String(version) => {
                Entry { version: Some(version), name: None, registry: None, agents: None, dirs: None }
            }
            table @ toml::Value::Table(_) => {
                Entry::deserialize(table).map_err(|why| toml_fault(why.message()))?
            }
            _ => return Err("its value is neither a version such as \"1\" nor a table".to_owned()),
        };
        let requirement = entry.version.as_deref().unwrap_or("latest").parse()?;
        let name = entry.name.as_deref().map(str::parse).transpose();
        let name: Option<Slug> = name.map_err(|why: registry::names::NameError| why.to_string())?;
        let name = name.unwrap_or_else(|| coordinate.slug.clone());
        let folders = folders(entry.agents.as_deref(), entry.dirs.as_deref())?;
        let place = |folder: &PathBuf| {
            let path = folder.display().to_string();
            Place::new(folder, &name)
                .ok_or_else(|| format!("the folder `{}` is not in the project", path.escape_debug()))
        };
        let places = folders.as_ref().unwrap_or(&self.folders).iter().map(place).collect::<Result<_, _>>()?;
        let registry = entry.registry.as_deref().map(address).transpose()?;
        let agents = entry.agents.unwrap_or_default();
        Ok((coordinate, WantedSkill { requirement, registry, agents, places }))
    }

    /// Each wanted place, with its skill.
    pub fn places(&self) -> impl Iterator<Item = (&Place, &Coordinate, &WantedSkill)> {
        let each = self.skills.iter();
        each.flat_map(|(coordinate, wanted)| {
            wanted.places.iter().map(move |place| (place, coordinate, wanted))
        })
    }

    fn check_places(&self) -> Result<(), Fault> {
        let places = self.places().map(|(place, coordinate, _)| (place, coordinate));
        if let Some([(place, skill), (other, holder)]) = first_overlap(places) {
            let [one, two] = [skill, holder].map(SkillReference::argument);
            let why = format!(
                "`{one}` goes to `{place}`, and `{two}` to `{other}`: give one of them another name with `as`"
            );
            return Err(Fault::Invalid { why });
        }
        Ok(())
    }
}

fn address(text: &str) -> Result<RegistryAddress, String> {
    text.parse().map_err(|why: crate::ClientError| why.to_string())
}

/// The folders of skills that `agents` and `dirs` name. None if neither is given.
fn folders(agents: Option<&[String]>, dirs: Option<&[String]>) -> Result<Option<Vec<PathBuf>>, String> {
    match (agents, dirs) {
        (None, None) => Ok(None),
        (None, Some([])) => Err("`dirs` is empty: name a folder, as in `dirs = [\"skills\"]`".to_owned()),
        (None, Some(dirs)) => {
            Ok(Some(dirs.iter().map(|dir| user_path(dir.as_ref())).collect::<Result<_, _>>()?))
        }
        (Some([]), None) => Err("`agents` is empty: name one, as in `agents = [\"claude\"]`".to_owned()),
        (Some(agents), None) => {
            let mut folders: Vec<PathBuf> = Vec::new();
            for agent in agents {
                let folder = agent.parse::<Agent>()?.project_folder.into();
                // Several agents look into one folder.
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
            Ok(Some(folders))
        }
        (Some(_), Some(_)) => Err("`agents` and `dirs` both name folders: remove one".to_owned()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Manifest::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn manifest_of_all_forms_is_read() {
        let text = "registry = \"https://a.example\"\nagents = [\"claude\", \"codex\", \"cursor\"]\n\n[skills]\nhello = \"1\"\n\
                    \"@tools/pdf\" = { version = \"~1.2\", as = \"forms\", registry = \"https://b.example\", dirs = [\"own\"] }\n\
                    lint = {}\n";
        let manifest = Manifest::parse(text).unwrap();
        assert_eq!(manifest.registry.as_ref().unwrap().to_string(), "https://a.example");
        let all: Vec<String> = manifest
            .places()
            .map(|(place, coordinate, wanted)| format!("{place} {coordinate} {}", wanted.requirement))
            .collect();
        assert_eq!(
            all,
            [
                ".claude/skills/hello hello ^1",
                ".agents/skills/hello hello ^1",
                ".claude/skills/lint lint latest",
                ".agents/skills/lint lint latest",
                "own/forms tools--pdf ~1.2",
            ]
        );
        assert_eq!(Manifest::parse("").unwrap().folders, [PathBuf::from("skills")]);
    }

    #[test]
    fn invalid_manifest_is_refused_with_the_remedy() {
        for (text, why) in [
            ("x = 1", "line 1: `x` is unknown"),
            ("[skills]\n\nhello = 1", "`hello`: its value is neither"),
            ("[skills]\nhello = \"^x\"", "`hello`: the version requirement `^x`"),
            ("[skills]\n\"hello@1\" = \"1\"", "write the version as its value"),
            ("[skills]\n\"../a\" = \"1\"", "invalid skill name"),
            ("[skills]\nhello = { tag = \"x\" }", "`tag` is unknown"),
            ("[skills]\nhello = { dirs = [\"../x\"] }", "not in the project"),
            ("[skills]\nhello = { dirs = [\"/etc\"] }", "not in the project"),
            ("[skills]\nhello = { dirs = [\"~/skills\"] }", "not in the project"),
            ("dirs = [\"~ann/skills\"]", "write the whole path"),
            ("[skills]\nhello = { as = \"A\" }", "`hello`: the slug"),
            ("agents = [\"nobody\"]", "unknown agent `nobody`"),
            ("agents = []", "`agents` is empty"),
            ("dirs = []", "`dirs` is empty"),
            ("agents = [\"claude\"]\ndirs = [\"x\"]", "both name folders"),
            ("registry = \"a.example\"", "no scheme"),
            ("[skills]\nhello = \"1\"\n\"@tools/hello\" = \"1\"", "give one of them another name with `as`"),
            ("[skills]\nhello = \"1\"\n\"@global/hello\" = \"1\"", "another entry has the same skill"),
            ("[skills]\nhello = \"1\"\nhello = \"2\"", "line 3: the key `hello` appears twice: remove one"),
        ] {
            let refused = refusal(text);
            assert!(refused.contains(why), "{text}\n{refused}");
        }
    }
}
