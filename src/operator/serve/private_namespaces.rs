//! Opens the registries of private namespaces for the server.

use std::net::SocketAddr;
use std::sync::Arc;

use generator::tree::Tree;
use registry::access::NamespaceCreation;
use registry::names::{Namespace, PublicUrl};
use registry::ops::namespaces::{self, CreateNamespace};
use registry::ops::users::{self, AddUser};
use registry::private::PlatformRole;
use registry::{Registry, with_causes};
use server::App;
use server::private_namespaces::{FirstOwner, OpenPrivate};

use crate::Failure;
use crate::config::Config;
use crate::signing::signed_tree::Unsigned;
use crate::signing::signer::Signer;
use crate::storage::open_registry::{Opened, open, operator};
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
    fn open(&self, namespace: &Namespace, owner: &FirstOwner) -> Result<Arc<App>, String> {
        self.start(namespace, owner).map_err(|why| with_causes(&*why))
    }
}

impl Opener {
    fn start(&self, namespace: &Namespace, owner: &FirstOwner) -> Result<Arc<App>, Failure> {
        let config = self.config.of_private_namespace(namespace, Some(self.public_url.clone()))?;
        let tree = Tree::at(&config.public);
        let Opened { registry, local } = open(&config)?;
        found(&config, &registry, namespace, owner)?;
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

/// Begins the history of a private namespace, if that has not happened.
fn found(
    config: &Config,
    registry: &Registry,
    namespace: &Namespace,
    owner: &FirstOwner,
) -> Result<(), Failure> {
    let FirstOwner { handle, display_name } = owner;
    if registry.read(|catalog| catalog.private.user(handle).is_none()) {
        let display_name = Some(display_name.clone());
        let input = AddUser { handle: handle.clone(), display_name, role: PlatformRole::User };
        registry.commit(&operator(None), |context| users::add(context, &input))?;
    }
    if registry.read(|catalog| catalog.namespace(namespace).is_none()) {
        let input = CreateNamespace {
            slug: namespace.clone(),
            display_name: None,
            description: String::new(),
            review_required: false,
            creation: NamespaceCreation::Admins,
            quotas: config.limits.quotas(),
        };
        registry.commit(&operator(Some(handle.clone())), |context| namespaces::create(context, &input))?;
    }
    Ok(())
}
