//! The commands with which people install a skill, one for each client.

use registry::names::{Coordinate, PublicUrl};

/// Where the address of the site belongs in [`InstallCommand::command`].
pub const SITE: &str = "{site}";

/// A client, and the command with which it installs a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallCommand {
    /// The client.
    pub client: &'static str,
    /// The command, with [`SITE`] at most once. `None` if the client cannot install from this site.
    pub command: Option<String>,
    /// What the client needs of the site, or why it cannot install from it.
    pub condition: Option<&'static str>,
}

impl InstallCommand {
    /// The command for a site whose address has no slash at its end.
    pub fn for_site(&self, site: &str) -> Option<String> {
        self.command.as_ref().map(|command| command.replacen(SITE, site, 1))
    }
}

const HTTPS_ONLY: &str =
    "Claude Code installs only from a site whose public URL is known and begins with https.";
const GIT: &str = "Needs the server, or a host that is set up for git.";
const QUERIES: &str = "Needs the server, or a host that is set up for its queries.";

/// The commands for a skill at the site with this public URL.
pub fn install_commands(c: &Coordinate, public_url: Option<&PublicUrl>) -> Vec<InstallCommand> {
    let Coordinate { namespace, slug } = c;
    let argument = if namespace.is_global() { slug.to_string() } else { format!("{namespace}/{slug}") };
    let any = |client, command| InstallCommand { client, command: Some(command), condition: None };
    let with = |client, command, condition| InstallCommand {
        client,
        command: Some(command),
        condition: Some(condition),
    };
    let git = format!("{SITE}/{namespace}/{slug}.git");
    let claude = public_url.filter(|url| url.is_encrypted()).map(|url| {
        let marketplace = marketplace_name(url);
        format!(
            "claude plugin marketplace add {SITE}/.claude-plugin/marketplace.json && \
             claude plugin install {c}@{marketplace}"
        )
    });
    let condition = claude.is_none().then_some(HTTPS_ONLY);
    vec![
        any("Skillmirror", format!("skillmirror install {argument} --registry {SITE}")),
        InstallCommand { client: "Claude Code", command: claude, condition },
        any("npx skills", format!("npx skills add {SITE}/{namespace}/{slug}")),
        with("Gemini CLI", format!("gemini skills install {git}"), GIT),
        with("git", format!("git clone {git}"), GIT),
        with("clawhub", format!("npx clawhub install {c} --registry {SITE}/clawhub"), QUERIES),
    ]
}

/// The name of a site's marketplace in Claude Code: host, port and path, with `-` for all but
/// letters and digits.
pub fn marketplace_name(url: &PublicUrl) -> String {
    let words = url.without_scheme().to_ascii_lowercase();
    let words: Vec<_> =
        words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marketplace_name_is_kebab_case() {
        for (url, name) in [
            ("https://skills.example.org", "skills-example-org"),
            ("https://Skills.Example.org:8443/~ann/my_skills", "skills-example-org-8443-ann-my-skills"),
            ("http://[::1]:8080", "1-8080"),
        ] {
            assert_eq!(marketplace_name(&url.parse().unwrap()), name);
        }
    }

    #[test]
    fn command_without_https_is_explained() {
        let c: Coordinate = "team--hello".parse().unwrap();
        for (url, is_installable) in [
            (None, false),
            (Some("http://skills.example.org"), false),
            (Some("https://skills.example.org"), true),
        ] {
            let url: Option<PublicUrl> = url.map(|url| url.parse().unwrap());
            let commands = install_commands(&c, url.as_ref());
            let claude = commands.iter().find(|command| command.client == "Claude Code").unwrap();
            assert_eq!(
                (claude.command.is_some(), claude.condition.is_none()),
                (is_installable, is_installable)
            );
        }
    }

    #[test]
    fn site_is_put_into_every_command_once() {
        let c: Coordinate = "hello".parse().unwrap();
        for command in install_commands(&c, Some(&"https://skills.example.org".parse().unwrap())) {
            let text = command.for_site("https://other.example").unwrap();
            assert_eq!(text.matches("https://other.example").count(), 1, "{text}");
        }
    }
}
