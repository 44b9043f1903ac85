//! `skillmirror serve`: runs the server, which also publishes the tree and answers reads.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::tree::{Claimant, Tree};
use registry::journal::SqliteJournal;
use server::tree_updates::claimant;

use crate::Failure;
use crate::config::{Config, listen_address};
use crate::long_running::{at_hangup, hangups, log_to_standard_error, shutdown_signal};
use crate::open_registry::{Opened, TakeOver, is_registry_there, keeper, open};
use crate::operator::open_files::max_connections;
use crate::output::print;
use crate::signer::sign_in_background;

/// How to serve.
#[derive(Args)]
pub struct Arguments {
    /// Do not write or lock the tree. Reads are rendered
    #[arg(long)]
    no_mirror: bool,
    /// The address and port to listen on, or a port of 127.0.0.1 [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    take_over: TakeOver,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(mut config: Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    config.listen = arguments.listen.unwrap_or(config.listen);
    log_to_standard_error();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(config, !arguments.no_mirror, arguments.take_over))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config, mirror: bool, take_over: TakeOver) -> Result<(), Failure> {
    let (shutdown_signal, hangups) = (shutdown_signal()?, hangups()?);
    let listener = server::connection::accept::bind(config.listen).map_err(|why| {
        format!("cannot listen on {}: {why}. Choose another address with --listen", config.listen)
    })?;
    let address = listener.local_addr()?;
    let token = config.data.join("admin-token");
    // A new registry names the file itself.
    let had_token = token.exists();
    let tree = Tree::at(&config.public);
    let checks_owner = mirror && !take_over.replace_tree;
    if mirror {
        tree.check()?;
    }
    if checks_owner && !is_registry_there(&config)? {
        SqliteJournal::check_new(&config.data)?;
        // A new registry would be left in a mistyped data folder.
        tree.check_owner(&Claimant::Registry(Vec::new()))?;
    }
    let mut settings = config.server_settings(address, &tree, mirror)?;
    let max = max_connections();
    if settings.http.connections > max {
        tracing::warn!("the limit of open files leaves room for {max} connections: raise it (LimitNOFILE)");
        settings.http.connections = max;
    }
    settings.publisher.replaces_tree = take_over.replace_tree;
    let Opened { registry, local } = open(&config)?;
    if checks_owner {
        tree.check_owner(&claimant(&registry))?;
    }
    if mirror {
        tree.check_writable().map_err(|why| {
            format!(
                "cannot write the static tree ({why}): make the folder writable, name another with --public, or \
                 serve without a tree (--no-mirror)"
            )
        })?;
    }
    let app = server::App::start(registry, local, tree.clone(), settings)?;
    if mirror {
        sign_in_background(&config, &tree);
    }
    let repaired = Arc::clone(&app);
    tokio::spawn(at_hangup(hangups, move || repaired.repair_tree()));
    let mut text = String::new();
    let shown = config.public.display();
    if app.keeps_tree() {
        text += &format!("updating the static tree in {shown}\n");
    } else if mirror {
        text += &format!("the static tree in {shown} is updated by {}\n", keeper(&tree));
    }
    if had_token {
        text += &format!("the token of the admin is in {}\n", token.display());
    }
    if let Some(url) = &config.public_url {
        text += &format!("the public URL is {url}\n");
    }
    if let (true, Some(key)) = (config.keys.signing().is_empty(), config.keys.elsewhere().first()) {
        text += &format!("the history is signed elsewhere, with {}\n", key.short());
    } else if config.keys.signing().is_empty() {
        text += "the history is not signed: `skillmirror key new` makes a key\n";
    }
    print(&format!("{text}listening on http://{address}\n"))?;
    let shutdown = async move {
        shutdown_signal.await;
        tracing::info!("finishing running requests");
    };
    server::serve(app, listener, shutdown).await;
    Ok(())
}
