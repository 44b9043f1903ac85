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

/// The commands for a skill at the site with this public URL. Without the name of its `marketplace`, Claude Code looks
/// in all that it knows.
pub fn install_commands(
    c: &Coordinate,
    public_url: Option<&PublicUrl>,
    marketplace: Option<&str>,
) -> Vec<InstallCommand> {
    let Coordinate { namespace, slug } = c;
    let argument = if namespace.is_global() { slug.to_string() } else { format!("{namespace}/{slug}") };
    let any = |client, command| InstallCommand { client, command: Some(command), condition: None };
    let with = |client, command, condition| InstallCommand {
        client,
        command: Some(command),
        condition: Some(condition),
    };
    let git = format!("{SITE}/{namespace}/{slug}.git");
    let marketplace = marketplace.map(|name| format!("@{name}")).unwrap_or_default();
    let claude = public_url.filter(|url| url.is_encrypted()).map(|_| {
        format!(
            "claude plugin marketplace add {SITE}/.claude-plugin/marketplace.json && \
             claude plugin install {c}{marketplace}"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_without_https_is_explained() {
        let c: Coordinate = "team--hello".parse().unwrap();
        for (url, is_installable) in [
            (None, false),
            (Some("http://skills.example.org"), false),
            (Some("https://skills.example.org"), true),
        ] {
            let url: Option<PublicUrl> = url.map(|url| url.parse().unwrap());
            let commands = install_commands(&c, url.as_ref(), None);
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
        for command in install_commands(&c, Some(&"https://skills.example.org".parse().unwrap()), Some("x")) {
            let text = command.for_site("https://other.example").unwrap();
            assert_eq!(text.matches("https://other.example").count(), 1, "{text}");
        }
    }
}
