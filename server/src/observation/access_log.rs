//! The access log: a JSON object in each line for each request.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use registry::time::Timestamp;
use serde::Serialize;

/// Lines that wait for the disk. Further ones are lost: a slow disk must not slow down requests.
const WAITING_LINES: usize = 16_384;

/// What the log is written to: a file, or standard output.
pub type Output = Box<dyn Write + Send>;

/// A request and its response.
#[derive(Debug, Serialize)]
pub(super) struct Line<'a> {
    /// When the response began.
    pub at: Timestamp,
    /// The id of the request, which the log of the server has, too.
    pub id: Option<&'a str>,
    /// The client's address; null if a trusted proxy names none.
    pub client: Option<&'a str>,
    pub method: &'a str,
    /// Path and query as they were sent, without secrets.
    pub target: &'a str,
    /// The route that answered, as in the metrics.
    pub route: &'a str,
    pub status: u16,
    /// Bytes of the body, if they are known at its beginning.
    pub bytes: Option<u64>,
    /// Seconds until the response began.
    pub seconds: f64,
    /// The header `User-Agent`.
    pub agent: Option<&'a str>,
}

/// The access log. Its clones write to the same file. When the last one is dropped, all lines are
/// written.
#[derive(Debug, Clone)]
pub struct AccessLog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    lines: Option<SyncSender<Vec<u8>>>,
    lost: Arc<AtomicU64>,
    reopens: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl AccessLog {
    /// Writes to what `open` opens.
    ///
    /// Errors: it cannot be opened, or the system starts no thread.
    pub fn start(open: impl Fn() -> io::Result<Output> + Send + 'static) -> io::Result<Self> {
        let output = open()?;
        let (lines, waiting) = sync_channel(WAITING_LINES);
        let (lost, reopens) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let writer = Writer { open: Box::new(open), output, lost: lost.clone(), reopens: reopens.clone() };
        let thread = std::thread::Builder::new().name("access-log".into());
        let thread = Mutex::new(Some(thread.spawn(move || writer.run(&waiting))?));
        let shared = Shared { lines: Some(lines), lost, reopens, thread };
        Ok(Self(Arc::new(shared)))
    }

    /// Opens the file again before the next line, because it was renamed.
    pub fn reopen(&self) {
        self.0.reopens.store(true, Ordering::Relaxed);
    }

    pub(super) fn write(&self, line: &Line<'_>) {
        let Ok(mut text) = serde_json::to_vec(line) else { return };
        text.push(b'\n');
        let sent = self.0.lines.as_ref().map(|lines| lines.try_send(text));
        if let Some(Err(TrySendError::Full(_))) = sent {
            self.0.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(thread) = self.thread.lock().take() {
            // It has logged its failures.
            let _ = thread.join();
        }
    }
}

struct Writer {
    open: Box<dyn Fn() -> io::Result<Output> + Send>,
    output: Output,
    lost: Arc<AtomicU64>,
    reopens: Arc<AtomicBool>,
}

impl Writer {
    fn run(mut self, lines: &Receiver<Vec<u8>>) {
        let mut is_failing = false;
        while let Ok(first) = lines.recv() {
            let done = self.write_all(std::iter::once(first).chain(lines.try_iter()));
            if let Err(why) = &done
                && !is_failing
            {
                tracing::error!(%why, "cannot write the access log: lines are lost");
            }
            is_failing = done.is_err();
            let lost = self.lost.swap(0, Ordering::Relaxed);
            if lost > 0 {
                tracing::warn!(lost, "the access log is written too slowly: lines are lost");
            }
        }
    }

    /// Writes all lines that wait.
    fn write_all(&mut self, lines: impl Iterator<Item = Vec<u8>>) -> io::Result<()> {
        if self.reopens.swap(false, Ordering::Relaxed) {
            self.output = (self.open)()?;
        }
        let mut output = BufWriter::new(&mut self.output);
        for line in lines {
            output.write_all(&line)?;
        }
        output.flush()
    }
}
