//! A git repository: one commit of it, and the skills in its folders.

use std::collections::BTreeMap;

use registry::names::{TolerantVersion, Version};
use registry::package::LooseFile;

use super::fetcher::Deadline;
use super::git_command::Git;
use super::offer::{Blob, Content, Offer};
use crate::config::source::{SourceAddress, SourceSection};

/// The most bytes of a list of tags, and of a list of files.
const MAX_LIST: u64 = 16 << 20;

/// The most characters of a folder's name in records. Of two with the same beginning, one is taken.
const MAX_FOLDER: usize = 300;

/// The name of what was fetched.
const FOLLOWED: &str = "refs/followed";

/// A commit of a repository.
pub struct Repository {
    git: Git,
    commit: String,
    /// The version that its tag has.
    version: Option<String>,
    /// Where it is, for everybody to see.
    address: String,
    /// The name of the repository.
    name: String,
}

impl Repository {
    /// Fetches the commit that a source follows, without its history.
    pub fn fetch(source: &SourceSection, deadline: Deadline) -> Result<Self, String> {
        let git = Git::new(source, deadline)?;
        let (reference, version) = match (&source.branch, &source.tags) {
            (Some(branch), _) => (format!("refs/heads/{branch}"), None),
            (None, Some(pattern)) => newest_tag(&git, pattern)?,
            (None, None) => ("HEAD".to_owned(), None),
        };
        let refspec = format!("+{reference}:{FOLLOWED}");
        let fetch =
            ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--end-of-options"];
        let fetched = git.run(&[&fetch[..], &[&git.address, &refspec]].concat(), "", MAX_LIST);
        fetched.map_err(|why| format!("{} cannot be fetched: {why}", git.address))?;
        let commit = git.run(&["rev-parse", "--verify", &format!("{FOLLOWED}^{{commit}}")], "", 200)?;
        let commit = String::from_utf8_lossy(&commit).trim().to_owned();
        let path = match &source.address {
            SourceAddress::Web(url) => url.path().to_owned(),
            SourceAddress::Folder(folder) => folder.display().to_string(),
        };
        let last = path.trim_end_matches('/').rsplit('/').find(|part| *part != ".git").unwrap_or_default();
        let address = match &source.address {
            // The folders of this machine are nobody's business.
            SourceAddress::Folder(_) => format!("file:{last}"),
            SourceAddress::Web(_) => git.address.trim_end_matches(".git").to_owned(),
        };
        let name = last.trim_end_matches(".git").to_owned();
        Ok(Self { git, commit, version, address, name })
    }

    /// The skills: each folder with a SKILL.md that is not in the folder of another.
    pub fn skills(&self, folder: Option<&str>) -> Result<Vec<Offer>, String> {
        let mut list = vec!["ls-tree", "-r", "-z", "--long", "--full-tree", &self.commit];
        list.extend(folder.iter().flat_map(|folder| ["--", folder]));
        let listed = self.git.run(&list, "", MAX_LIST)?;
        let text =
            String::from_utf8(listed).map_err(|_| "a name in the repository is not UTF-8".to_owned())?;
        let entries = text.split('\0').filter(|line| !line.is_empty()).map(Entry::read);
        let entries =
            entries.collect::<Option<Vec<_>>>().ok_or("git has printed an unexpected list of files")?;
        let roots = entries.iter().filter_map(|entry| entry.folder_of_skill());
        let mut skills: BTreeMap<&str, Vec<&Entry<'_>>> = roots.map(|root| (root, Vec::new())).collect();
        let all: Vec<&str> = skills.keys().copied().collect();
        for root in all {
            if ancestors(root).any(|above| skills.contains_key(above)) {
                skills.remove(root);
            }
        }
        for entry in &entries {
            let own = ancestors(entry.path).find(|folder| skills.contains_key(folder));
            if let Some(files) = own.and_then(|folder| skills.get_mut(folder)) {
                files.push(entry);
            }
        }
        match skills.is_empty() {
            true => Err("the repository has no SKILL.md there".to_owned()),
            false => Ok(skills.iter().map(|(folder, files)| self.offer(folder, files)).collect()),
        }
    }

    fn offer(&self, folder: &str, files: &[&Entry<'_>]) -> Offer {
        let blob = |entry: &&Entry<'_>| {
            let path = entry.path.get(folder.len()..).unwrap_or_default().trim_start_matches('/').to_owned();
            let executable = match entry.mode {
                "100644" | "100664" => false,
                "100755" => true,
                "120000" => return Err(format!("{path} is a symbolic link, which may lead anywhere")),
                "160000" => {
                    return Err(format!("{path} is a submodule, whose files are not in the repository"));
                }
                _ => return Err(format!("{path} is neither a file nor a folder")),
            };
            Ok(Blob { path, executable, object: entry.object.to_owned(), size: entry.size })
        };
        let blobs: Result<Vec<Blob>, String> = files.iter().map(blob).collect();
        let name = folder.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(&self.name);
        Offer {
            id: if folder.is_empty() { ".".to_owned() } else { folder.chars().take(MAX_FOLDER).collect() },
            version: self.version.clone(),
            commit: Some(self.commit.clone()),
            ..Offer::of(name, self.address.clone(), blobs.map(Content::Blobs))
        }
    }

    /// Reads the files of a skill.
    pub fn read(&self, blobs: &[Blob], max_bytes: u64) -> Result<Vec<LooseFile>, String> {
        let size = blobs.iter().map(|blob| blob.size).fold(0, u64::saturating_add);
        if size > max_bytes {
            return Err(format!("its files have more than {max_bytes} bytes"));
        }
        let input: String = blobs.iter().map(|blob| format!("{}\n", blob.object)).collect();
        // Before each file is a line with its name, its kind and its size.
        let most = size + 200 * blobs.len() as u64;
        let printed = self.git.run(&["cat-file", "--batch"], &input, most)?;
        let mut rest = printed.as_slice();
        let file = |blob: &Blob| {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let size = usize::try_from(blob.size).ok()?;
            let content = rest.get(end + 1..)?.get(..size)?.to_vec();
            rest = rest.get(end + size + 2..)?;
            Some(LooseFile { path: blob.path.clone(), executable: blob.executable, content })
        };
        let files = blobs.iter().map(file).collect::<Option<Vec<_>>>();
        files.ok_or_else(|| "git has not printed the files as it has listed them".to_owned())
    }
}

/// A line of `git ls-tree --long`.
struct Entry<'a> {
    mode: &'a str,
    object: &'a str,
    size: u64,
    path: &'a str,
}

impl<'a> Entry<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (facts, path) = line.split_once('\t')?;
        let mut facts = facts.split_ascii_whitespace();
        let (mode, _, object, size) = (facts.next()?, facts.next()?, facts.next()?, facts.next()?);
        // Submodules have none.
        Some(Self { mode, object, size: size.parse().unwrap_or(0), path })
    }

    /// The folder, if this is the SKILL.md of a skill.
    fn folder_of_skill(&self) -> Option<&'a str> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", self.path));
        file.eq_ignore_ascii_case("SKILL.md").then_some(folder)
    }
}

/// The folders above a path. The last one is the root, with an empty name.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(above(path), |path| above(path))
}

/// The folder of a path.
fn above(path: &str) -> Option<&str> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(folder).filter(|_| !path.is_empty())
}

/// The tag with the newest version of those that match the pattern, and the version. Versions before a release count
/// only if there are no others, as for `latest`.
fn newest_tag(git: &Git, pattern: &str) -> Result<(String, Option<String>), String> {
    let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
    let listed = git.run(
        &["ls-remote", "--quiet", "--tags", "--refs", "--end-of-options", &git.address],
        "",
        MAX_LIST,
    );
    let listed = listed.map_err(|why| format!("{} cannot be asked for its tags: {why}", git.address))?;
    let text = String::from_utf8_lossy(&listed);
    let names = text.lines().filter_map(|line| line.split_once("\trefs/tags/")).map(|(_, name)| name);
    let tagged = names.filter_map(|name| {
        let version = name.strip_prefix(before)?.strip_suffix(after)?;
        Some((name, version.parse::<TolerantVersion>().ok()?.version))
    });
    let newest = tagged.max_by(|a: &(&str, Version), b| a.1.cmp_as_latest(&b.1));
    let (name, version) =
        newest.ok_or_else(|| format!("no tag of {} is a version like `{pattern}`", git.address))?;
    Ok((format!("refs/tags/{name}"), Some(version.to_string())))
}
