//! The text of an error with its causes.

use std::error::Error;
use std::iter::successors;

use zip::result::ZipError;

use crate::data_fault::json_fault;

/// The message of an error and its causes, separated by colons. Our own messages do not repeat their
/// causes. Those of other crates may, so a cause that is there already is left out. A cause from a
/// library is put into plain words.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    for cause in successors(error.source(), |&error| error.source()) {
        let text = in_words(cause);
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
    }
    message
}

/// The text of an error. Those of the libraries that read stored data are for programmers.
fn in_words(error: &(dyn Error + 'static)) -> String {
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return json_fault(error);
    }
    if let Some(error) = error.downcast_ref::<ZipError>() {
        return match error {
            ZipError::Io(error) => error.to_string(),
            _ => "it is not a zip archive, or it was cut off or changed".to_owned(),
        };
    }
    #[cfg(feature = "storage")]
    if let Some(error) = error.downcast_ref::<rusqlite::Error>() {
        return crate::journal::database::sqlite_fault(error);
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use serde::de::Error as _;

    use super::*;
    use crate::journal::{BackupError, JournalError};

    use crate::local::LocalError;
    use crate::public::{DecodeError, ShardError};

    #[derive(Debug)]
    struct Wrapped(&'static str, Option<Box<Wrapped>>);

    impl Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn with_causes_joins_the_chain_without_repeats() {
        let disk = || Some(Box::new(Wrapped("disk is full", None)));
        let write = Wrapped("cannot write", disk());
        assert_eq!(with_causes(&write), "cannot write: disk is full");
        let outer = Wrapped("cannot publish", Some(Box::new(write)));
        assert_eq!(with_causes(&outer), "cannot publish: cannot write: disk is full");
        assert_eq!(with_causes(&Wrapped("failed: disk is full", disk())), "failed: disk is full");
    }

    #[test]
    fn own_messages_do_not_repeat_their_causes() {
        let io = || std::io::Error::other("the disk is full");
        let json = || serde_json::Error::custom("the disk is full");
        let path = || "backup.zip".into();
        let errors: [Box<dyn Error>; 8] = [
            Box::new(JournalError::Storage(io().into())),
            Box::new(JournalError::Damaged(io().into())),
            Box::new(LocalError::Storage(io().into())),
            Box::new(LocalError::Damaged(io().into())),
            Box::new(BackupError::NotABackup { path: path(), cause: io().into() }),
            Box::new(BackupError::File { path: path(), cause: io() }),
            Box::new(ShardError::from(json())),
            Box::new(DecodeError { revision: 7, cause: json() }),
        ];
        for error in errors {
            assert!(!error.to_string().contains("disk"), "{error}");
            assert!(with_causes(&*error).ends_with(": the disk is full"), "{error}");
        }
    }
}
