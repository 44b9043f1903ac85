//! For commands that end: a look at the bucket, and one upload.

use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::settings::TreeSettings;
use generator::tree::{TargetProgress, Tree};
use parking_lot::Mutex;
use registry::api::public::Head;
use tokio::runtime::Runtime;

use super::changes::Changes;
use super::engine::{Engine, Round};
use super::shown::shown;
use super::turn::LOOK_INTERVAL;
use super::uploader::{LAST_TIMEOUT, MAX_PAUSE, MIN_PAUSE};
use crate::error::UploadError;
use crate::manifest::Manifest;
use crate::owner::Claim;
use crate::store::Target;

/// How long [`upload`] tries again without any progress.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long [`upload`] waits for the turn to write the bucket. A server that was killed has lost it by then.
const TURN_PATIENCE: Duration = Duration::from_secs(12);

/// The last state of a tree in a bucket, as far as there is one.
#[derive(Debug, Default)]
pub struct ShownTree {
    /// The head, which says how far the tree is.
    pub head: Option<Head>,
    /// The settings that the tree was made with.
    pub settings: Option<TreeSettings>,
}

/// Asks a store for the bucket of a tree, for ten seconds. Writes nothing but the name of its owner.
/// Returns the tree that the bucket shows.
pub fn check_claim(target: &Target, tree: &Tree, claim: &Claim) -> Result<ShownTree, UploadError> {
    let ask = || {
        let manifest = Manifest::open(&tree.state_folder(), &target.identity())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let taken = async {
            claim.take(target, &manifest, tree).await?;
            let (head, settings) =
                (shown(target, &Document::Head).await?, shown(target, &Document::Settings).await?);
            Ok(ShownTree { head, settings })
        };
        let within = async { tokio::time::timeout(LAST_TIMEOUT, taken).await };
        let asked = runtime.block_on(within);
        runtime.shutdown_background();
        asked.unwrap_or(Err(UploadError::Timeout(LAST_TIMEOUT.as_secs())))
    };
    // The caller may be asynchronous code, which cannot wait by itself.
    let asked = std::thread::scope(|scope| scope.spawn(ask).join());
    asked.unwrap_or_else(|_| Err(std::io::Error::other("the thread has ended").into()))
}

/// Brings the bucket up to date with a tree whose lock the caller has. Tries again after failures, for a
/// minute without any progress. A bucket that another server writes is refused.
pub fn upload(target: Target, tree: &Tree, claim: Claim) -> Result<TargetProgress, UploadError> {
    let (changes, progress) = (Arc::new(Changes::default()), Arc::new(Mutex::new(TargetProgress::default())));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut engine = Engine::new(target, tree.clone(), claim, changes, Arc::clone(&progress))?;
    let done = upload_with(&mut engine, &runtime, &progress);
    engine.end();
    done.map(|()| progress.lock().clone())
}

fn upload_with(
    engine: &mut Engine,
    runtime: &Runtime,
    progress: &Mutex<TargetProgress>,
) -> Result<(), UploadError> {
    let (mut pause, mut since) = (MIN_PAUSE, Instant::now());
    let mut written = 0;
    let begun = Instant::now();
    loop {
        let round = runtime.block_on(engine.round());
        let now = progress.lock().written;
        if std::mem::replace(&mut written, now) != now {
            (pause, since) = (MIN_PAUSE, Instant::now());
        }
        match round {
            Ok(Round::Worked) | Err(UploadError::Vanished | UploadError::TurnLost) => {}
            Ok(Round::UpToDate) => return Ok(()),
            Ok(Round::Waiting) => return Err(UploadError::Incomplete),
            Ok(Round::Standby) if begun.elapsed() >= TURN_PATIENCE => {
                let name = engine.target().name();
                return Err(UploadError::Refused(format!(
                    "another server of this registry writes {name}, and keeps it up to date with its own tree: nothing \
                     is left to do, or run this again when that server is stopped"
                )));
            }
            Ok(Round::Standby) => std::thread::sleep(LOOK_INTERVAL),
            Ok(Round::Behind) => {
                let name = engine.target().name();
                return Err(UploadError::Refused(format!(
                    "{name} has a later revision than the tree: run this again"
                )));
            }
            Err(why) if why.is_refusal() || since.elapsed() >= PATIENCE => {
                return Err(why);
            }
            Err(_) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(MAX_PAUSE);
            }
        }
    }
}
