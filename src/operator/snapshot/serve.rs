//! `skillmirror snapshot serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::follower::{FeedSource, Follower};
use generator::tree::{Claimant, Tree};
use server::read_only::ReadOnlyServer;

use crate::Failure;
use crate::config::folder_overlap::keep_apart;
use crate::config::{Config, listen_address};
use crate::output::print;
use crate::process::log::log_to_standard_error;
use crate::process::long_running::shutdown_signal;
use crate::storage::new_folders::NewFolders;
use crate::tree::output_tree::{TakeOver, lock_tree};
use crate::tree::snapshot_file::{TrustedKeys, beside, follow, read_manifest};

/// What to serve, and where.
#[derive(Args)]
pub struct Arguments {
    /// A snapshot, which is unpacked to the folder SNAPSHOT.tree beside it; or a mirror's folder
    source: PathBuf,
    /// The address and port to listen on, or a port of 127.0.0.1 [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    trusted: TrustedKeys,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(mut config: Config, arguments: Arguments) -> Result<ExitCode, Failure> {
    config.listen = arguments.listen.unwrap_or(config.listen);
    log_to_standard_error(config.log.format);
    let is_folder = arguments.source.is_dir();
    let folder = if is_folder { arguments.source.clone() } else { beside(&arguments.source) };
    let folder = keep_apart(&config.data, &folder, "SNAPSHOT")?;
    let tree = Tree::at(&folder);
    if is_folder && tree.head().is_none() {
        return Err(format!("{} has no tree: name a snapshot or a mirror's folder", folder.display()).into());
    }
    if !is_folder {
        // A file that is no snapshot makes no folder.
        read_manifest(&config, &arguments.source)?;
    }
    let _new = NewFolders::of_tree(&folder);
    let locked = lock_tree(&folder, "--to", &Claimant::Mirror, TakeOver { replace_tree: false })?;
    let options = config.follow_options(false);
    let mut follower = if is_folder {
        // A mirror of itself: checks all that it serves.
        let itself: Arc<dyn FeedSource> = Arc::new(tree.clone());
        Follower::open(itself, locked, options)?
    } else {
        follow(&config, &arguments.source, &arguments.trusted, locked, options, None)?.1
    };
    let revision = follower.catch_up()?;
    follower.persist()?;
    let (sources, settings) = follower.sources();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let shutdown_signal = shutdown_signal()?;
        let listener = server::connection::accept::bind(config.listen).map_err(|why| {
            format!("cannot listen on {}: {why}. Choose another address with --listen", config.listen)
        })?;
        let address = listener.local_addr()?;
        let server_settings = config.server_settings(address, &tree, false)?;
        let server = ReadOnlyServer::new(tree, sources, settings, &server_settings);
        print(&format!("serving revision {revision}, for reading only\nlistening on http://{address}\n"))?;
        server.serve(listener, &server_settings, shutdown_signal).await;
        Ok(ExitCode::SUCCESS)
    })
}
