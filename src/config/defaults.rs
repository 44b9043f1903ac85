//! The settings of an empty file.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use super::private::PrivateSection;
use super::scan::ReviewSection;
use super::sections::{
    GitSection, LimitsSection, LogSection, MetricsSection, MirrorSection, NamespacesSection, PurgeSection,
    ReadsSection, SearchSection, SessionsSection, SigningSection, SiteSection,
};
use super::sign_in::{SignInSection, TokensSection};
use super::signing_keys::SigningKeys;
use super::{Config, Site, Source, StorageSection};

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: "data".into(),
            public: "public".into(),
            public_url: None,
            storage: StorageSection::default(),
            mirror: MirrorSection::default(),
            git: GitSection::default(),
            purge: PurgeSection::default(),
            search: SearchSection::default(),
            reads: ReadsSection::default(),
            namespaces: NamespacesSection::default(),
            private: PrivateSection::default(),
            sessions: SessionsSection::default(),
            sign_in: SignInSection::default(),
            tokens: TokensSection::default(),
            limits: LimitsSection::default(),
            signing: SigningSection::default(),
            trusted: BTreeMap::default(),
            review: ReviewSection::default(),
            scan: BTreeMap::default(),
            sources: BTreeMap::default(),
            log: LogSection::default(),
            metrics: MetricsSection::default(),
            site: SiteSection::default(),
            look: Site::default(),
            keys: SigningKeys::default(),
            private_namespace: None,
            source: Source::default(),
        }
    }
}
