//! New settings for a running server.

use std::net::SocketAddr;
use std::sync::Arc;

use generator::tree::Tree;
use server::App;
use server::app::Settings;
use tokio::sync::watch;

use super::open_access_log;
use crate::Failure;
use crate::config::Config;
use crate::process::long_running::{Hangup, Hangups};
use crate::process::supervisor::{self, State};
use crate::sources::timer::Sources;

/// Reads the settings again when it is told to.
pub struct Reloader {
    /// The settings of the start.
    pub config: Config,
    /// The address that the server listens on.
    pub address: SocketAddr,
    /// Takes the server with the new settings.
    pub changes: watch::Sender<Arc<App>>,
    /// The places that the registry follows.
    pub sources: Sources,
}

impl Reloader {
    /// Waits for signals. Never returns.
    pub async fn run(mut self, mut hangups: Hangups) {
        loop {
            match hangups.next().await {
                Hangup::ReopenLogs => self.reopen(),
                Hangup::Reload => {
                    supervisor::tell(State::Reloading);
                    match self.reload() {
                        Ok(()) => tracing::info!("read the settings again"),
                        Err(why) => tracing::error!(%why, "the settings stay as they are"),
                    }
                    self.reopen();
                    self.app().repair_tree();
                    supervisor::tell(State::Ready);
                }
            }
        }
    }

    fn app(&self) -> Arc<App> {
        Arc::clone(&self.changes.borrow())
    }

    /// Opens the access log again, in case somebody has renamed it.
    fn reopen(&self) {
        if let Some(log) = &self.app().settings().access_log {
            log.reopen();
        }
    }

    /// Gives the server the settings that can change while it runs.
    fn reload(&mut self) -> Result<(), Failure> {
        let config = self.config.reload()?;
        let waiting = self.config.changes_at_restart(&config);
        if !waiting.is_empty() {
            tracing::warn!(settings = waiting.join(", "), "these changes need a restart");
        }
        let app = self.app();
        let running = app.settings();
        let settings =
            config.server_settings(self.address, &Tree::at(&self.config.public), running.mirror)?;
        let access_log = match &config.log.access {
            path if *path == self.config.log.access => running.access_log.clone(),
            path => path.as_deref().map(open_access_log).transpose()?,
        };
        let mut settings = Settings { access_log, ..settings };
        if let Some(outbound) = &running.outbound {
            settings.sign_in = config.sign_in_settings(outbound)?;
        }
        // The limit of open files has lowered it at the start.
        settings.http.connections = running.http.connections;
        self.changes.send_replace(app.with_settings(settings));
        *self.sources.lock() = config.sources;
        self.config.limits = config.limits;
        self.config.log.access = config.log.access;
        Ok(())
    }
}
