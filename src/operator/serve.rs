//! `skillmirror serve`: runs the write server, which also publishes the tree and answers reads.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use generator::tree::Tree;
use tokio::signal::unix::{SignalKind, signal};

use crate::Failure;
use crate::config::Config;
use crate::logging;
use crate::open_registry::{Opened, open};

/// How to serve.
#[derive(Args)]
pub struct Arguments {
    /// Do not write or lock the tree. Reads are rendered
    #[arg(long)]
    no_mirror: bool,
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(mut config: Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    config.listen = arguments.listen.unwrap_or(config.listen);
    logging::to_standard_error();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(config, !arguments.no_mirror))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config, mirror: bool) -> Result<(), Failure> {
    // Registered first, so that no signal during a long start is lost.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let listener = server::connection::accept::bind(config.listen).map_err(|why| {
        format!("cannot listen on {}: {why}. Choose another address with --listen", config.listen)
    })?;
    let address = listener.local_addr()?;
    let token: PathBuf = config.data.join("admin-token");
    let tree = Tree::at(&config.public);
    if mirror {
        tree.check()?;
    }
    let settings = config.server_settings(address, &tree, mirror)?;
    let Opened { registry, local } = open(&config)?;
    let app = server::App::start(registry, local, tree, settings)?;
    if mirror {
        println!("keeping the static tree in {}", config.public.display());
    }
    if token.exists() {
        println!("the token of the admin is in {}", token.display());
    }
    if let Some(url) = &config.public_url {
        println!("the public address is {url}");
    }
    println!("listening on http://{address}");
    std::io::stdout().flush()?;
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("finishing running requests");
    };
    server::serve(app, listener, shutdown).await;
    Ok(())
}
