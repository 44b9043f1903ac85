//! Ctrl-C in commands that take long: says what was done, and how to go on.

use std::io;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::print_error;

/// The exit code of a command that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// Ends the program at the first Ctrl-C from now on. The message says what is left and how to go on.
pub fn explain_interrupt(message: String) {
    clean_up_at_interrupt(message, || {});
}

/// Like [`explain_interrupt`], after `clean_up`.
pub fn clean_up_at_interrupt(message: String, clean_up: impl FnOnce() + Send + 'static) {
    // Without the thread, Ctrl-C ends the program as ever.
    let _ = on_interrupt(move |mut next| {
        next();
        clean_up();
        print_error(format_args!("interrupted: {message}"));
        exit(INTERRUPTED.into());
    });
}

/// Whether somebody has pressed Ctrl-C. The second time ends the program.
#[derive(Debug, Clone, Default)]
pub struct Interrupted(Arc<AtomicBool>);

impl Interrupted {
    /// Notices Ctrl-C from now on. `message` says at once what the program does then.
    pub fn notice(message: &'static str) -> Self {
        let interrupted = Self::default();
        let flag = Arc::clone(&interrupted.0);
        let _ = on_interrupt(move |mut next| {
            next();
            flag.store(true, Ordering::Relaxed);
            print_error(message);
            next();
            exit(INTERRUPTED.into());
        });
        interrupted
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs `then` on a thread of its own. Its argument waits for the next Ctrl-C.
fn on_interrupt(then: impl FnOnce(Box<dyn FnMut()>) + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut interrupts = {
        let _entered = runtime.enter();
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?
    };
    let wait = move || {
        runtime.block_on(interrupts.recv());
    };
    std::thread::Builder::new().name("interrupt".into()).spawn(move || then(Box::new(wait)))?;
    Ok(())
}
