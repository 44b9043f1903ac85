//! `skillmirror serve`: runs the server, which also publishes the tree and answers reads.

mod outbound;
mod private_namespaces;
mod reload;

use std::fs::OpenOptions;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::tree::{Claimant, Tree};
use server::Listeners;
use server::identity::Outbound;
use server::observation::access_log::{AccessLog, Output};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::Failure;
use crate::config::unusable_path::unusable;
use crate::config::{Config, listen_address};
use crate::operator::open_files::max_connections;
use crate::output::print;
use crate::process::log::log_to_standard_error;
use crate::process::long_running::{Hangups, shutdown_signal};
use crate::process::readings::of_folders;
use crate::process::supervisor::{self, State};
use crate::scan::{self, Scanner, Worker};
use crate::signing::signed_tree::Unsigned;
use crate::signing::signer::Signer;
use crate::sources::timer::Timer;
use crate::storage::access;
use crate::storage::open_registry::{Opened, open};
use crate::storage::stores::{check_new, is_registry_there};
use crate::tree::followers::Followers;
use crate::tree::output_tree::{TakeOver, check_tree, keeper};
use outbound::IssuerConnections;
use private_namespaces::Opener;
use reload::Reloader;

/// Run the server
///
/// It accepts writes, updates the static tree and answers reads, until SIGTERM. The first start
/// creates the registry, and writes the token of its admin to `admin-token` in the data folder.
#[derive(Args)]
#[command(after_help = "
    serve                                                   # Try it: http://127.0.0.1:8080, with ./data and ./public
    serve --listen 9000 --config registry.toml              # Another port, and the settings of a file
    serve --data /var/lib/skillmirror --public /srv/skills  # In production
")]
pub struct Arguments {
    /// Do not write or lock the tree. Reads are rendered
    #[arg(long)]
    no_mirror: bool,
    /// The address and port to listen on, or a port of 127.0.0.1 [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    take_over: TakeOver,
    #[command(flatten)]
    unsigned: Unsigned,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(config: Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    let config = config.listening_on(arguments.listen);
    access::check(&config, !arguments.no_mirror)?;
    log_to_standard_error(config.log.format);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(config, &arguments))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { no_mirror, take_over, unsigned, .. } = *arguments;
    let mirror = !no_mirror;
    let (shutdown_signal, hangups) = (shutdown_signal()?, Hangups::new()?);
    let listener = listen_on(config.listen, "--listen")?;
    let address = listener.local_addr()?;
    let metrics = config.metrics.listen.map(|address| listen_on(address, "metrics.listen")).transpose()?;
    let token = config.data.join("admin-token");
    // A new registry names the file itself.
    let had_token = token.exists();
    let tree = Tree::at(&config.public);
    if mirror {
        tree.check()?;
    }
    if mirror && !take_over.replace_tree && !is_registry_there(&config)? {
        check_new(&config)?;
        // A new registry would be left in a mistyped data folder.
        tree.check_owner(&Claimant::Registry(Vec::new()))?;
    }
    let mut settings = config.server_settings(address, &tree, mirror)?;
    settings.access_log = config.log.access.as_deref().map(open_access_log).transpose()?;
    settings.publisher.replaces_tree = take_over.replace_tree;
    let Opened { registry, local } = open(&config)?;
    let max = max_connections(registry.read(|catalog| catalog.private.private_namespaces().len()));
    if settings.http.connections > max {
        tracing::warn!("the limit of open files leaves room for {max} connections: raise it (LimitNOFILE)");
        settings.http.connections = max;
    }
    if mirror {
        check_tree(&config, &registry, &tree, take_over, unsigned)?;
        tree.check_writable().map_err(|why| {
            format!(
                "cannot write the static tree ({why}): make the folder writable, name another with --public, or \
                 serve without a tree (--no-mirror)"
            )
        })?;
    }
    if mirror {
        let Followers { target, purger } = Followers::of_registry(&config, &registry, take_over, unsigned)?;
        (settings.publisher.target, settings.publisher.purger) = (target, purger);
    }
    let signer = Signer::of(&config, &registry, &settings.publisher.signing).filter(|_| mirror);
    settings.private = Some(Arc::new(Opener {
        config: config.clone(),
        address,
        public_url: settings.public_url.clone(),
        mirror,
        unsigned,
    }));
    let outbound: Arc<dyn Outbound> = Arc::new(IssuerConnections::of_environment());
    settings.trusted = Arc::new(config.trusted_issuers(&outbound)?);
    settings.sign_in = config.sign_in_settings(&outbound)?;
    settings.outbound = Some(outbound);
    let judged = Arc::clone(&registry);
    let timer = Timer::start(&config, &registry, &local);
    let app = server::App::start(registry, local, tree.clone(), settings)?;
    app.open_private_namespaces();
    if let Some(signer) = signer {
        signer.start();
    }
    let mut scanners = Vec::new();
    for scanner in Scanner::all(&config)? {
        let (status, limits) = (Arc::clone(&app.settings().scans), config.package_limits());
        scanners.push(Worker { registry: Arc::clone(&judged), scanner, limits, status }.start()?);
    }
    let mut text = String::new();
    let shown = config.public.display();
    if app.keeps_tree() {
        text += &format!("updating the static tree in {shown}\n");
    } else if mirror {
        text += &format!("the static tree in {shown} is updated by {}\n", keeper(&tree));
    }
    if let Some(url) = config.mirror.target.as_ref().filter(|_| app.keeps_tree()) {
        text += &format!("the bucket {url} follows the static tree\n");
    }
    if had_token {
        text += &format!("the token of the admin is in {}\n", token.display());
    }
    if let Some(url) = &config.public_url {
        text += &format!("the public URL is {url}\n");
    }
    if let (true, Some(key)) = (config.keys.signing().is_empty(), config.keys.of_command().first()) {
        text += &format!("the history is signed by signing.command, with {}\n", key.short());
    } else if config.keys.signing().is_empty() {
        text += "the history is not signed: `skillmirror key new` makes a key\n";
    }
    if let Some(listener) = &metrics {
        text += &format!("metrics are at http://{}/metrics\n", listener.local_addr()?);
    }
    print(&format!("{text}listening on http://{address}\n"))?;
    let (changes, apps) = watch::channel(app);
    let (of_folders, of_sources) = (of_folders(&config), timer.readings());
    let readings = move || [of_folders(), of_sources()].concat();
    let sources = Arc::clone(&timer.sources);
    tokio::spawn(Reloader { config, address, changes, sources }.run(hangups));
    supervisor::tell(State::Ready);
    let shutdown = async move {
        shutdown_signal.await;
        supervisor::tell(State::Stopping);
        tracing::info!("finishing running requests");
        drop(timer);
    };
    server::serve(apps, Listeners { main: listener, metrics }, readings, shutdown).await;
    // No program outlives the server.
    scan::stop();
    scanners.into_iter().for_each(|scanner| drop(scanner.join()));
    Ok(())
}

/// Opens the access log, and appends to it. `-` is standard output.
fn open_access_log(path: &Path) -> Result<AccessLog, Failure> {
    let (opened, is_standard) = (path.to_owned(), path == Path::new("-"));
    let open = move || -> io::Result<Output> {
        if is_standard {
            return Ok(Box::new(io::stdout()));
        }
        Ok(Box::new(OpenOptions::new().append(true).create(true).open(&opened)?))
    };
    AccessLog::start(open)
        .map_err(|why| unusable(path, "open", &why, "the setting `log.access` names another file").into())
}

/// Listens on an address of the settings. The error names the setting.
pub fn listen_on(address: SocketAddr, setting: &str) -> Result<TcpListener, Failure> {
    server::connection::accept::bind(address).map_err(|why| {
        format!("cannot listen on {address}: {why}. Choose another address with {setting}").into()
    })
}
