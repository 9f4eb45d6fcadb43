//! The two ways a command can fail, which are its two exit codes.

use crate::run::RunError;

/// Why a command did not succeed.
#[derive(Debug)]
pub(super) enum Failure {
    /// A usage or configuration error: exit 2. Names the flag, the file, the key and the remedy.
    Usage(String),
    /// Anything else: exit 1.
    Other(anyhow::Error),
}

impl Failure {
    pub(super) fn usage(message: impl std::fmt::Display) -> Self {
        Self::Usage(message.to_string())
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        match error.downcast::<RunError>() {
            // What the operator's settings say cannot be meant.
            Ok(RunError::Refused(sentence)) => Self::Usage(sentence),
            Ok(error) => Self::Other(error.into()),
            Err(error) => Self::Other(error),
        }
    }
}
