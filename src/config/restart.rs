//! Which settings count only from the next start on.

use std::num::NonZeroU32;
use std::time::Duration;

use server::request::client_address::TrustedProxies;

use super::Config;
use super::sections::{LimitsSection, MirrorSection};

impl Config {
    /// The settings that differ in `later` and need a restart: the names of settings or sections.
    pub fn changes_at_restart(&self, later: &Self) -> Vec<&'static str> {
        let names = |config: &Self| {
            let Self {
                listen,
                data,
                public,
                public_url,
                storage,
                mirror,
                purge,
                search,
                reads,
                signing,
                metrics,
                private,
                trusted,
                scan,
                look,
                ..
            } = config;
            let mirror = MirrorSection { wait_timeout: Duration::ZERO, ..mirror.clone() };
            let limits = LimitsSection {
                zip: 0,
                unpacked: 0,
                file: 0,
                files: 0,
                ratio: 0,
                uploads: 0,
                uploads_total: 0,
                uploads_per_person: 0,
                writes_per_minute: NonZeroU32::MIN,
                pending_per_person: 0,
                pending_bytes_per_person: 0,
                tokens_per_person: 0,
                skills_per_person: 0,
                versions_per_skill: 0,
                namespaces_per_person: 0,
                trusted_proxies: TrustedProxies::default(),
                body_timeout: Duration::ZERO,
                ..config.limits.clone()
            };
            [
                ("listen", format!("{listen}")),
                ("data", format!("{data:?}")),
                ("public", format!("{public:?}")),
                ("public_url", format!("{public_url:?}")),
                ("storage", format!("{storage:?}")),
                ("mirror", format!("{mirror:?}")),
                ("git", format!("{:?}", config.git)),
                ("purge", format!("{purge:?}")),
                ("search", format!("{search:?}")),
                ("reads", format!("{reads:?}")),
                ("private", format!("{private:?}")),
                ("trusted", format!("{trusted:?}")),
                ("scan", format!("{scan:?}")),
                ("tokens", format!("{:?}", config.tokens)),
                ("signing", format!("{signing:?}{:?}", config.keys)),
                ("metrics", format!("{metrics:?}")),
                ("site", format!("{look:?}{:?}", config.site.marketplace)),
                ("log.format", format!("{:?}", config.log.format)),
                ("limits of connections", format!("{limits:?}")),
            ]
        };
        let both = names(self).into_iter().zip(names(later));
        both.filter(|(a, b)| a.1 != b.1).map(|(a, _)| a.0).collect()
    }
}
