//! Opens the registries of private namespaces for the server.

use std::net::SocketAddr;
use std::sync::Arc;

use generator::tree::Tree;
use registry::access::NamespaceCreation;
use registry::names::{Namespace, PublicUrl};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::users::{self, AddUser};
use registry::private::{MemberRole, PlatformRole};
use registry::{Registry, with_causes};
use server::App;
use server::private_namespaces::{Beginning, OpenPrivate};

use crate::Failure;
use crate::config::Config;
use crate::signing::signed_tree::Unsigned;
use crate::signing::signer::Signer;
use crate::storage::open_registry::{Opened, open, operator};
use crate::storage::stores::is_registry_there;
use crate::tree::followers::Followers;
use crate::tree::output_tree::{TakeOver, check_tree};

/// Opens registries as the settings of the main registry say.
#[derive(Debug)]
pub struct Opener {
    /// Those settings.
    pub config: Config,
    /// The address that the server listens on.
    pub address: SocketAddr,
    /// The address at which people reach the main registry.
    pub public_url: PublicUrl,
    /// Whether this process writes trees.
    pub mirror: bool,
    /// What the command line says of signed trees.
    pub unsigned: Unsigned,
}

impl OpenPrivate<App> for Opener {
    fn open(&self, namespace: &Namespace, beginning: Option<&Beginning>) -> Result<Arc<App>, String> {
        self.start(namespace, beginning).map_err(|why| with_causes(&*why))
    }
}

impl Opener {
    fn start(&self, namespace: &Namespace, beginning: Option<&Beginning>) -> Result<Arc<App>, Failure> {
        let config = self.config.of_private_namespace(namespace, Some(self.public_url.clone()))?;
        let lost = || {
            let place = config.journal_name()?;
            Err::<(), Failure>(
                format!(
                    "no history in {place}: restore its backup with `skillmirror journal restore FILE --private \
                     {namespace}`"
                )
                .into(),
            )
        };
        if beginning.is_none() && !is_registry_there(&config)? {
            lost()?;
        }
        let tree = Tree::at(&config.public);
        let Opened { registry, local } = open(&config)?;
        let has_history = registry.read(|catalog| catalog.namespace(namespace).is_some());
        match beginning {
            Some(beginning) if !has_history => begin(&config, &registry, namespace, beginning)?,
            // Of a creation that stopped half way.
            Some(Beginning { owner, .. })
                if registry.read(|catalog| catalog.role(namespace, owner)) != Some(MemberRole::Owner) =>
            {
                return Err(format!("{namespace} has begun with another owner: name that one").into());
            }
            None if !has_history => lost()?,
            _ => {}
        }
        let mut settings = config.server_settings(self.address, &tree, self.mirror)?;
        if self.mirror {
            let keep = TakeOver { replace_tree: false };
            check_tree(&config, &registry, &tree, keep, self.unsigned)?;
            settings.publisher.target =
                Followers::of_registry(&config, &registry, keep, self.unsigned)?.target;
        }
        let signer = Signer::of(&config, &registry, &settings.publisher.signing).filter(|_| self.mirror);
        let app = App::start(registry, local, tree, settings)?;
        if let Some(signer) = signer {
            signer.start();
        }
        Ok(app)
    }
}

/// Begins the history of a private namespace: with its first owner, and with the namespace.
fn begin(
    config: &Config,
    registry: &Registry,
    namespace: &Namespace,
    beginning: &Beginning,
) -> Result<(), Failure> {
    let Beginning { owner, owner_name, texts } = beginning.clone();
    if registry.read(|catalog| catalog.private.user(&owner).is_none()) {
        let input =
            AddUser { handle: owner.clone(), display_name: Some(owner_name), role: PlatformRole::User };
        registry.commit(&operator(None), |context| users::add(context, &input))?;
    }
    let input = CreateNamespace {
        slug: namespace.clone(),
        display_name: texts.display_name,
        description: texts.description.unwrap_or_default(),
        review_required: texts.review_required.unwrap_or(false),
        creation: NamespaceCreation::Admins,
        quotas: config.limits.quotas(),
    };
    registry.commit(&operator(Some(owner)), |context| namespaces::create(context, &input))?;
    Ok(())
}
