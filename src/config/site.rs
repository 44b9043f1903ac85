//! Reads the files that the section `site` names, and makes the look of pages.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use generator::pages::{Logo, MAX_LOGO_BYTES, Site, SiteOptions, assets, template_names};
use registry::names::{did_you_mean, nearest};

use super::sections::SiteSection;
use super::unusable_path::unreadable;

/// The most links in the footer.
const MAX_LINKS: usize = 8;

/// The most bytes of a text of the operator, of a template, and of an asset: as much as a readme may have.
const MAX_TEXT_BYTES: usize = 512 << 10;

impl SiteSection {
    /// Reads the files, and makes the look of pages.
    ///
    /// Errors: a file cannot be used. They name the setting, the file and the remedy.
    pub fn read(&self) -> Result<Site, String> {
        if self.links.len() > MAX_LINKS {
            return Err(format!("site.links: at most {MAX_LINKS} links fit below a page: remove some"));
        }
        let logo = |path: &Path| Logo::new(bytes(path, MAX_LOGO_BYTES)?).map_err(|why| in_file(path, &why));
        let options = SiteOptions {
            name: self.name.clone(),
            accent: self.accent,
            accent_dark: self.accent_dark,
            links: self.links.clone(),
            logo: named("logo", self.logo.as_deref(), logo)?,
            about: named("about", self.about.as_deref(), text)?,
            publishing: named("publishing", self.publishing.as_deref(), text)?,
            replaced: named("templates", self.templates.as_deref(), replaced)?.unwrap_or_default(),
        };
        Site::new(&options).map_err(|fault| {
            let folder = self.templates.as_deref().unwrap_or(Path::new(""));
            let file = match options.replaced.contains_key(&fault.file) {
                true => folder.join(&fault.file).display().to_string(),
                // Another one that uses a template of the operator.
                false => format!("{} of the program", fault.file),
            };
            let (line, why) = (fault.line, fault.why);
            format!("site.templates: {file}:{line}: {why}: correct the template, or remove it")
        })
    }
}

/// What a setting names. Errors begin with the name of the setting.
fn named<T>(
    setting: &str,
    path: Option<&Path>,
    read: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<Option<T>, String> {
    path.map(read).transpose().map_err(|why| format!("site.{setting}: {why}"))
}

/// The sentence about a file that cannot be used.
fn in_file(path: &Path, why: &str) -> String {
    format!("{}: {why}", path.display())
}

/// The content of a file with at most `max` bytes.
fn bytes(path: &Path, max: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(max as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|why| unreadable(path, &why, "correct the path"))?;
    match bytes.len() > max {
        true => Err(in_file(path, &format!("it has more than {} KiB: shorten it", max >> 10))),
        false => Ok(bytes),
    }
}

fn text(path: &Path) -> Result<String, String> {
    let text = String::from_utf8(bytes(path, MAX_TEXT_BYTES)?);
    text.map_err(|_| in_file(path, "it is not UTF-8: store it as UTF-8"))
}

/// The templates and assets in a folder, by their paths.
fn replaced(folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(below) = folders.pop() {
        let unread = |why| unreadable(&below, &why, "correct the path");
        for entry in fs::read_dir(&below).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let assets = assets::sources().map(|asset| format!("assets/{asset}"));
            let known: Vec<String> = template_names().map(str::to_owned).chain(assets).collect();
            if !known.contains(&name) {
                let near = nearest(&name, known.iter().map(String::as_str));
                let why = format!("the program has no template or asset of this name{}", did_you_mean(&near));
                let advice = if near.is_empty() { ": remove the file, or name it like one" } else { "" };
                return Err(in_file(&path, &(why + advice)));
            }
            found.insert(name, text(&path)?);
        }
    }
    Ok(found)
}
