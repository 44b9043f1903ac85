//! Watches a folder for changes. Events may be spurious or get lost, so callers use them only
//! to look earlier than their timer would.

use std::path::Path;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Calls `wake` when an entry of `folder` itself changes, until it is dropped.
pub struct ChangeWatcher {
    watcher: Option<RecommendedWatcher>,
}

impl ChangeWatcher {
    /// Starts watching, if the system can.
    pub fn on(folder: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading is not a change. An error may mean that events were lost.
            if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
                wake();
            }
        });
        let mut watching = Self { watcher: watcher.ok() };
        watching.refresh(folder);
        watching
    }

    /// Watches the folder that now has this path. It may have been created or replaced since.
    pub fn refresh(&mut self, folder: &Path) {
        if let Some(watcher) = &mut self.watcher {
            // A folder that is missing or cannot be watched is left to the timer.
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn watcher_wakes_on_a_change() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "1").unwrap();
        let (sender, woken) = mpsc::channel();
        let mut watcher = ChangeWatcher::on(folder.path(), move || {
            let _ = sender.send(());
        });
        watcher.refresh(folder.path());
        watcher.refresh(&folder.path().join("nowhere"));
        std::fs::read(folder.path().join("a")).unwrap();
        std::fs::rename(folder.path().join("a"), folder.path().join("b")).unwrap();
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
    }
}
