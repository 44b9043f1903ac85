//! Scanners: programs that judge packages, and the registry's own rules, which are one of them.
//!
//! A scanner gets a private folder with an unpacked package, and answers in bounded time and size. What it says is
//! checked like a text from a stranger. A run that fails is no verdict.

mod answer;
mod program;
mod worker;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use registry::package::{Finding, Limits, RULES_VERSION, Unpacked, findings_of_rules};
use registry::public::{MAX_SCANNERS, OWN_SCANNER, ScanVerdict, is_scanner_name};

use crate::config::Config;
use crate::config::scan::{ScanSection, ScannerVersion};
pub use program::stop;
pub use worker::Worker;

/// The most bytes that a scanner may print, and that are read of its version.
const MAX_ANSWER: u64 = 16 << 20;
const MAX_VERSION_OUTPUT: u64 = 4096;

/// How long the command of a version may take.
const VERSION_TIMEOUT: Duration = Duration::from_secs(30);

/// A program, or the own rules.
pub struct Scanner {
    /// The name in the settings.
    pub name: String,
    program: Option<ScanSection>,
}

impl Scanner {
    /// The own rules, and the scanners of the settings.
    pub fn all(config: &Config) -> Result<Vec<Self>, String> {
        if config.scan.len() >= MAX_SCANNERS {
            return Err(format!(
                "the settings have {} sections `scan.NAME`: a version keeps the verdicts of at most {}",
                config.scan.len(),
                MAX_SCANNERS - 1
            ));
        }
        let mut all = vec![Self { name: OWN_SCANNER.to_owned(), program: None }];
        for (name, section) in &config.scan {
            if !is_scanner_name(name) || name == OWN_SCANNER {
                return Err(format!(
                    "scan.{name}: name it with at most 32 of a-z, 0-9 and `-`, but not {OWN_SCANNER}"
                ));
            }
            if section.command.first().is_none_or(String::is_empty) {
                return Err(format!("scan.{name}.command: the first item is the program"));
            }
            all.push(Self { name: name.clone(), program: Some(section.clone()) });
        }
        Ok(all)
    }

    /// Its version now.
    pub fn version(&self) -> Result<String, String> {
        let output = match self.program.as_ref().map(|program| &program.version) {
            None => return Ok(RULES_VERSION.to_owned()),
            Some(ScannerVersion::Text(text)) => text.clone(),
            Some(ScannerVersion::Command(words)) => {
                let home = tempfile::tempdir().map_err(|why| why.to_string())?;
                let printed = program::run(words, home.path(), MAX_VERSION_OUTPUT, VERSION_TIMEOUT)?;
                printed.code(&[0])?;
                String::from_utf8_lossy(&printed.output).into_owned()
            }
        };
        let line = output.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match answer::line(line, 64) {
            line if line.is_empty() => Err("prints no version".into()),
            line => Ok(line),
        }
    }

    /// Judges a package. The error is no verdict.
    pub fn judge(&self, version: &str, package: &[u8], limits: &Limits) -> Result<ScanVerdict, String> {
        let unpacked = Unpacked::from_zip(package, limits)
            .map_err(|why| format!("the package cannot be unpacked: {why}"))?;
        let findings = match &self.program {
            None => findings_of_rules(&unpacked.files),
            Some(program) => self.ask(program, &unpacked)?,
        };
        Ok(ScanVerdict { scanner: self.name.as_str().into(), scanner_version: version.into(), findings })
    }

    fn ask(&self, section: &ScanSection, package: &Unpacked) -> Result<Vec<Finding>, String> {
        let place = tempfile::Builder::new()
            .prefix("scan-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir()
            .map_err(|why| why.to_string())?;
        let place_path = place.path().canonicalize().map_err(|why| why.to_string())?;
        let (folder, home) = (place_path.join("package"), place_path.join("home"));
        fs::create_dir(&home)
            .and_then(|()| write(&folder, package))
            .map_err(|why| format!("cannot be given the package ({why})"))?;
        let words = section.command.iter().map(|word| word.replace("{folder}", &folder.to_string_lossy()));
        let words: Vec<String> = words.collect();
        let printed = program::run(&words, &home, MAX_ANSWER, section.timeout)?;
        // 1 says that it found something, as compilers and linters do.
        let code = printed.code(&[0, 1])?;
        let paths = package.files.iter().map(|file| file.path.as_str()).collect();
        answer::Answer { folder: &folder, paths }.read(&printed.output, section.sarif, code == 0)
    }
}

/// Writes the files of a package. Only this user can read them, and nobody writes them.
fn write(folder: &Path, package: &Unpacked) -> std::io::Result<()> {
    fs::create_dir(folder)?;
    for file in &package.files {
        let path = folder.join(file.path.as_str());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &file.content)?;
        fs::set_permissions(&path, Permissions::from_mode(if file.executable { 0o500 } else { 0o400 }))?;
    }
    Ok(())
}
