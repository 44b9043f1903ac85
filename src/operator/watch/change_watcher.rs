//! Wake-ups from the file system. One says nothing but "look": it may be one too
//! many, and where events get lost a timer looks too.

use std::path::Path;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Calls `wake` when something in `folder`, not below, changes; until this is
/// dropped.
pub struct Wake {
    watcher: Option<RecommendedWatcher>,
}

impl Wake {
    /// Starts watching, where the system can.
    pub fn on(folder: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading is no change; an error may have cost events.
            if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
                wake();
            }
        });
        let mut wake = Self { watcher: watcher.ok() };
        wake.again(folder);
        wake
    }

    /// Watches the folder that is there now: it may be another one than before,
    /// or not have been there.
    pub fn again(&mut self, folder: &Path) {
        if let Some(watcher) = &mut self.watcher {
            // A folder that is not there or can't be watched is left to the timer.
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
    fn a_change_wakes_and_a_look_does_not() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "1").unwrap();
        let (sender, woken) = mpsc::channel();
        let mut wake = Wake::on(folder.path(), move || {
            let _ = sender.send(());
        });
        wake.again(folder.path());
        wake.again(&folder.path().join("nowhere"));
        std::fs::read(folder.path().join("a")).unwrap();
        std::fs::rename(folder.path().join("a"), folder.path().join("b")).unwrap();
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
    }
}
