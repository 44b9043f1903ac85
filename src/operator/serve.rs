//! `skillmirror serve`: runs the server, which also publishes the tree and answers reads.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use generator::tree::Tree;

use crate::Failure;
use crate::config::Config;
use crate::long_running::{log_to_standard_error, shutdown_signal};
use crate::open_registry::{Opened, open};
use crate::output::print;

/// How to serve.
#[derive(Args)]
pub struct Arguments {
    /// Do not write or lock the tree. Reads are rendered
    #[arg(long)]
    no_mirror: bool,
    /// The IP address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(mut config: Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    config.listen = arguments.listen.unwrap_or(config.listen);
    log_to_standard_error();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(config, !arguments.no_mirror))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: Config, mirror: bool) -> Result<(), Failure> {
    let shutdown_signal = shutdown_signal()?;
    let listener = server::connection::accept::bind(config.listen).map_err(|why| {
        format!("cannot listen on {}: {why}. Choose another address with --listen", config.listen)
    })?;
    let address = listener.local_addr()?;
    let token = config.data.join("admin-token");
    let tree = Tree::at(&config.public);
    if mirror {
        tree.check()?;
    }
    let settings = config.server_settings(address, &tree, mirror)?;
    let Opened { registry, local } = open(&config)?;
    let app = server::App::start(registry, local, tree, settings)?;
    let mut text = String::new();
    if mirror {
        text += &format!("updating the static tree in {}\n", config.public.display());
    }
    if token.exists() {
        text += &format!("the token of the admin is in {}\n", token.display());
    }
    if let Some(url) = &config.public_url {
        text += &format!("the public URL is {url}\n");
    }
    print(&format!("{text}listening on http://{address}\n"))?;
    let shutdown = async move {
        shutdown_signal.await;
        tracing::info!("finishing running requests");
    };
    server::serve(app, listener, shutdown).await;
    Ok(())
}
