//! Makes any number of skills from a list of package names and summaries.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use registry::names::Slug;

use super::skill::Skill;
use crate::Failure;
use crate::world::namespace;

/// Summaries that are shorter say nothing.
const MIN_SUMMARY_LENGTH: usize = 30;

/// The longest description that a skill may have.
const MAX_SUMMARY_LENGTH: usize = 1024;

/// A package that can become a skill.
struct Package {
    slug: String,
    summary: String,
}

/// `count` skills, spread evenly over the list in the file: a header line, then
/// a line for each package with its name, version, downloads and summary, tabs
/// between. In the namespaces of a world, without keywords and headings.
///
/// Errors: the list has too few packages with a summary of 30 characters.
pub(super) fn read(file: &Path, count: usize) -> Result<Vec<Skill>, Failure> {
    let text = fs::read_to_string(file)?;
    let mut taken = HashSet::new();
    let packages: Vec<_> = text.lines().skip(1).filter_map(package).collect();
    let packages: Vec<_> =
        packages.into_iter().filter(|package| taken.insert(package.slug.clone())).collect();
    if packages.len() < count {
        return Err(format!("{} has {} packages of use, not {count}", file.display(), packages.len()).into());
    }
    let at = |number: usize| packages.get(number * packages.len() / count);
    Ok((0..count).filter_map(|number| at(number).map(|package| skill(number, package))).collect())
}

fn package(line: &str) -> Option<Package> {
    let mut columns = line.split('\t');
    let (name, summary) = (columns.next()?, columns.nth(2)?.trim());
    let is_long = summary.chars().count() >= MIN_SUMMARY_LENGTH;
    let slug = slugified(name).filter(|slug| is_long && slug.parse::<Slug>().is_ok())?;
    Some(Package { slug, summary: summary.chars().take(MAX_SUMMARY_LENGTH).collect() })
}

/// `@scope/Name.js` is `scope-name-js`.
fn slugified(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let parts: Vec<_> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join("-"))
}

fn skill(number: usize, package: &Package) -> Skill {
    Skill {
        namespace: namespace(number),
        slug: package.slug.clone(),
        name: package.slug.clone(),
        keywords: Vec::new(),
        description: package.summary.clone(),
        headings: Vec::new(),
        body_words: Vec::new(),
        prose: String::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_list_becomes_skills() {
        let summary = "a summary that has at least thirty characters";
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = [
            "name\tversion\tdownloads_a_month\tsummary".to_owned(),
            format!("@scope/Name.js\t1.0.0\t5\t{summary}"),
            format!("scope-name-js\t1.0.0\t5\t{summary}, again"),
            "short\t1.0.0\t5\tsays little".to_owned(),
            format!("last\t1.0.0\t5\t{summary}"),
        ];
        fs::write(file.path(), lines.join("\n")).unwrap();
        let skills = read(file.path(), 2).unwrap();
        let slugs: Vec<_> = skills.iter().map(|skill| (&*skill.slug, &*skill.name)).collect();
        assert_eq!(slugs, [("scope-name-js", "scope-name-js"), ("last", "last")]);
        assert_eq!(skills.first().unwrap().description, summary);
        assert!(read(file.path(), 3).is_err());
    }
}
