//! `skillmirror trust`: the keys that must have signed the history of a registry.

use std::io::{BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::history::{SignedHistory, TrustedRegistries, published_keys};
use client::http::ReadAccess;
use client::policy::check_repository;
use client::{ClientError, RegistryAddress, Source};
use registry::transparency_log::{MAX_POLICY, Policy, VerifierKey};
use serde_json::json;

use super::{Report, report_or_error};
use crate::output::{borderless, print_error, table_text};

/// Trust registries by the keys that sign their history
///
/// A registry can sign its history. If you trust its key, `install` proves each version before it
/// writes anything.
#[derive(Subcommand)]
#[command(after_help = "
    trust add https://skills.example.org     # Ask the registry for its key, show it, and trust it
    trust list                               # What is trusted
    trust remove https://skills.example.org  # Forget a registry's key
")]
pub enum Command {
    /// Trust a registry by its key: from now on its history must be signed with it
    #[command(after_help = "
        trust add https://skills.example.org  # Ask the registry for its key, show it, and trust it
        trust add https://skills.example.org --yes                   # The same without a question
        trust add https://skills.example.org --policy witnesses.txt  # Also demand witnesses
    ")]
    Add(AddArguments),
    /// List the registries that are trusted by their keys
    #[command(after_help = "trust list --json  # For programs")]
    List {
        /// Print one JSON document, and failures as JSON
        #[arg(long)]
        json: bool,
    },
    /// Install only what a repository has built, as the signed history says
    ///
    /// From now on `install`, `update` and a restore refuse versions without provenance, or with that of another
    /// repository. A pattern is host, owner and name of a repository, or its beginning with a star. One that begins with
    /// `https://` means versions that the registry has taken from that address. The patterns replace earlier ones.
    /// Without any pattern, provenance is no longer required. It is a rule of the policy: see `skillmirror policy list`.
    #[command(
        after_help = "trust require-provenance github.com/acme/*  # Only what jobs of acme have published"
    )]
    RequireProvenance {
        /// Repositories of which one must have built a version
        #[arg(value_name = "PATTERN", value_parser = pattern)]
        patterns: Vec<String>,
        /// Print one JSON document, and failures as JSON
        #[arg(long)]
        json: bool,
    },
    /// Trust a registry's key no more, and forget what it has signed
    #[command(after_help = "trust remove https://skills.example.org  # Forget a registry's key")]
    Remove {
        /// The registry's base URL, as `trust list` shows it
        #[arg(value_name = "URL")]
        registry: String,
        /// Print one JSON document, and failures as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Which registry to trust.
#[derive(Args)]
pub struct AddArguments {
    /// The registry's base URL without /api/v1, or file:///… for a folder
    #[arg(value_name = "URL")]
    registry: String,
    /// The registry's public key, which its operator has told you. Repeat it while the registry changes
    /// its key [default: ask the registry, and then you]
    #[arg(long, value_name = "KEY")]
    vkey: Vec<VerifierKey>,
    /// Trust the key that the registry itself names, without asking
    #[arg(long, short, conflicts_with = "vkey")]
    yes: bool,
    /// Demand the cosignatures of witnesses, as this policy says (C2SP tlog-policy). Its logs are the keys,
    /// unless --vkey names others
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Add(arguments) => report_or_error(add(arguments), arguments.json),
        Command::List { json } => report_or_error(list(), *json),
        Command::RequireProvenance { patterns, json } => report_or_error(require_provenance(patterns), *json),
        Command::Remove { registry, json } => report_or_error(remove(registry), *json),
    }
}

fn add(arguments: &AddArguments) -> Result<Report, ClientError> {
    let source = Source::with(ReadAccess::named(arguments.registry.parse()?));
    let policy = arguments.policy.as_deref().map(read_policy).transpose()?;
    let of_policy = policy.as_ref().map(|(policy, _)| policy.logs().to_vec()).unwrap_or_default();
    let keys = match arguments.vkey.as_slice() {
        [] if !of_policy.is_empty() => of_policy,
        [] => {
            let keys = published_keys(&source)?;
            if keys.is_empty() {
                let why = format!("{} does not sign its history: there is no key to trust", source.address());
                return Err(ClientError::Unsupported(why));
            }
            if !arguments.yes && !is_accepted(source.address(), &keys)? {
                return Err(ClientError::Unsupported("nothing was changed".into()));
            }
            keys
        }
        given => given.to_vec(),
    };
    let (policy, text) = policy.unzip();
    let size = SignedHistory::with_keys(&source, keys.clone(), policy).size()?;
    save(source.address(), &keys, text)?;
    let text: String = keys.iter().map(|key| format!("{key}\n")).collect();
    let text = format!("{} is trusted by its key; it has signed {size} rows\n{text}", source.address());
    Ok(Report { text, json: json!({ "registry": source.address().to_string(), "keys": keys, "size": size }) })
}

/// Trusts the keys of a registry at the first login, if the user agrees. Returns a line about it, or
/// nothing if the registry does not sign or is trusted already. Without a terminal nobody can agree, so
/// the registry is not asked.
pub fn trust_at_login(address: &RegistryAddress, is_agreed: bool) -> Result<Option<String>, ClientError> {
    let can_agree = is_agreed || std::io::stdin().is_terminal();
    if !can_agree || !TrustedRegistries::load()?.keys(address).is_empty() {
        return Ok(None);
    }
    let source = Source::open(address.clone());
    // The login is saved, whatever this host has at the address of the keys.
    let keys = published_keys(&source).unwrap_or_default();
    let Some(first) = keys.first() else { return Ok(None) };
    if !is_agreed && !is_accepted(address, &keys)? {
        return Ok(None);
    }
    SignedHistory::with_keys(&source, keys.clone(), None).size()?;
    save(address, &keys, None)?;
    Ok(Some(format!("its key {} is trusted from now on", first.short())))
}

fn read_policy(file: &Path) -> Result<(Policy, String), ClientError> {
    let failed =
        |why: &dyn std::fmt::Display| ClientError::File { path: file.to_owned(), why: why.to_string() };
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(|why| failed(&why))?;
    opened.take(MAX_POLICY as u64 + 1).read_to_end(&mut bytes).map_err(|why| failed(&why))?;
    let policy = Policy::parse(&bytes).map_err(|why| failed(&why))?;
    Ok((policy, String::from_utf8_lossy(&bytes).into_owned()))
}

fn save(address: &RegistryAddress, keys: &[VerifierKey], policy: Option<String>) -> Result<(), ClientError> {
    TrustedRegistries::change(|trusted| {
        keys.iter().for_each(|key| trusted.add(address, key.clone()));
        policy.into_iter().for_each(|policy| trusted.set_policy(address, policy));
        Ok(())
    })
}

/// Asks the user at the terminal.
fn is_accepted(address: &RegistryAddress, keys: &[VerifierKey]) -> Result<bool, ClientError> {
    if !std::io::stdin().is_terminal() {
        let why = "no terminal to ask whether to trust the registry's key: give the key that its operator has told \
                   you with --vkey, or use --yes";
        return Err(ClientError::Unsupported(why.into()));
    }
    let lines: String = keys.iter().map(|key| format!("\n  {key}")).collect();
    print_error(format_args!(
        "{address} signs its history with this key; compare it with what its operator says:{lines}"
    ));
    print_error(format_args!("trust it from now on? [y/N]"));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn list() -> Result<Report, ClientError> {
    let trusted = TrustedRegistries::load()?;
    let rows: Vec<_> = trusted
        .registries()
        .flat_map(|(registry, keys)| keys.iter().map(move |key| (registry, key)))
        .map(|(registry, key)| (registry, key, trusted.checkpoint(key.name()).map(|(kept, _)| kept.size)))
        .collect();
    let cells = |(registry, key, size): &(&str, &VerifierKey, Option<u64>)| {
        vec![(*registry).to_owned(), key.short(), size.map_or("-".into(), |size| size.to_string())]
    };
    let required = trusted.required_provenance();
    let mut text = match rows.is_empty() {
        true => "no registry is trusted by its key: `skillmirror trust add URL`\n".to_owned(),
        false => table_text(borderless(["REGISTRY", "KEY", "ROWS"], rows.iter().map(cells))),
    };
    if !required.is_empty() {
        text += &format!("only versions built from {} are installed\n", required.join(" or "));
    }
    let item = |(registry, key, size): &(&str, &VerifierKey, Option<u64>)| json!({ "registry": registry, "key": key, "size": size });
    let items: Vec<_> = rows.iter().map(item).collect();
    Ok(Report { text, json: json!({ "items": items, "provenance": required }) })
}

/// Checks the pattern of a repository.
fn pattern(text: &str) -> Result<String, String> {
    check_repository(text).map(|()| text.to_owned())
}

fn require_provenance(patterns: &[String]) -> Result<Report, ClientError> {
    TrustedRegistries::change(|trusted| {
        trusted.require_provenance(patterns.to_vec());
        Ok(())
    })?;
    let text = match patterns {
        [] => "versions may be of any provenance, and of none\n".to_owned(),
        patterns => format!("only versions built from {} are installed from now on\n", patterns.join(" or ")),
    };
    Ok(Report { text, json: json!({ "provenance": patterns }) })
}

fn remove(registry: &str) -> Result<Report, ClientError> {
    let address: RegistryAddress = registry.parse()?;
    if !TrustedRegistries::change(|trusted| Ok(trusted.remove(&address)))? {
        let why = format!("{address} is not trusted by a key: `skillmirror trust list` shows those that are");
        return Err(ClientError::NotFound(why));
    }
    let text = format!("{address} is no longer trusted by its key\n");
    Ok(Report { text, json: json!({ "registry": address.to_string() }) })
}
