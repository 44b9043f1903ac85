//! Why there is nothing to clone, in sentences that git prints.

use generator::address::RepositoryName;
use generator::settings::NamespaceRepositories;
use registry::names::{BundleName, Namespace};
use registry::ops;
use registry::public::{NamespaceEntry, PublicCatalog};

use crate::problem::Problem;
use crate::reads::tree_reader::TreeReader;

/// Says why a skill or a namespace has no repository.
pub(super) fn nothing_to_clone(reader: &TreeReader, name: &RepositoryName) -> Problem {
    let catalog = reader.public.read();
    let c = match name {
        RepositoryName::Skill(c) => c,
        RepositoryName::Bundle(name) => return nothing_to_clone_of_bundle(reader, &catalog, name),
        RepositoryName::Namespace(name) => return nothing_to_clone_of(reader, catalog.namespace(name), name),
    };
    let skill = match ops::public_skill(&catalog, c) {
        Ok(skill) => skill,
        Err(why) => return why.into(),
    };
    let (name, folder) = (c.scoped(), format!("{}/{}", c.namespace, c.slug));
    Problem::not_found(match skill.latest() {
        None => format!("All versions of {name} were yanked, so there is nothing to clone: see /{folder}/."),
        Some(latest) => format!(
            "Version {version} of {name} is too large for git: download /api/v1/skills/{folder}/versions/{version}/download.zip.",
            version = latest.version
        ),
    })
}

/// Says why a bundle has no repository.
fn nothing_to_clone_of_bundle(reader: &TreeReader, catalog: &PublicCatalog, name: &BundleName) -> Problem {
    let NamespaceRepositories { skills, bytes } = reader.settings.namespace_repositories;
    let mebibytes = bytes.div_ceil(1 << 20);
    Problem::not_found(match catalog.bundle(name) {
        None => format!("There is no bundle {name}: see /{}/.", name.namespace),
        Some(_) => format!(
            "{name} is no git repository, because none of its skills has a fitting version, or there are more than {skills}, \
             or their packages have more than {mebibytes} MiB: clone single skills."
        ),
    })
}

/// Says why a namespace has no repository.
fn nothing_to_clone_of(reader: &TreeReader, entry: Option<&NamespaceEntry>, name: &Namespace) -> Problem {
    let NamespaceRepositories { skills, bytes } = reader.settings.namespace_repositories;
    let mebibytes = bytes.div_ceil(1 << 20);
    Problem::not_found(match entry {
        None => format!(
            "There is no namespace @{name}: check the address, /{{namespace}}.git or /{{namespace}}/{{slug}}.git."
        ),
        Some(entry) if !entry.is_listed() => {
            format!("The namespace @{name} is archived: clone single skills.")
        }
        Some(_) if skills == 0 => {
            format!("In this registry, only single skills are git repositories: /{name}/{{slug}}.git.")
        }
        Some(_) => format!(
            "@{name} is no git repository, because it has no skill, or more than {skills}, or their latest packages \
             have more than {mebibytes} MiB, 10,000 files or 512 MiB of content: clone single skills, \
             /{name}/{{slug}}.git."
        ),
    })
}

/// The problem for a client of git that asks for a repository at another address.
pub fn no_repository() -> Problem {
    Problem::not_found(
        "There is no repository at this address: that of a skill is /{namespace}/{slug}.git, for example \
         /global/hello.git, and that of a small namespace /{namespace}.git.",
    )
}
