//! One output of a process, read as it comes: never waited for, and never kept past its bound.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read};
use std::os::fd::{AsFd, BorrowedFd};

/// The reading end of a pipe, and what arrived.
pub(super) struct Pipe {
    /// None once the end was reached.
    reader: Option<PipeReader>,
    kept: Vec<u8>,
    bound: usize,
    overflowed: bool,
}

impl Pipe {
    /// A pipe of which at most `bound` bytes are kept, and the end to give to the process.
    pub(super) fn new(bound: usize) -> io::Result<(Self, PipeWriter)> {
        let (reader, writer) = io::pipe()?;
        // A descendant can open its own pipe for reading and take the bytes that poll announced.
        rustix::io::ioctl_fionbio(&reader, true)?;
        let pipe = Self {
            reader: Some(reader),
            kept: Vec::new(),
            bound,
            overflowed: false,
        };
        Ok((pipe, writer))
    }

    /// What to poll for reading; none once the end was reached.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.reader.as_ref().map(|reader| reader.as_fd())
    }

    /// Reads once, at most one `buffer`, without waiting.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let Some(reader) = &mut self.reader else {
            return Ok(());
        };
        match reader.read(buffer) {
            Ok(0) => self.reader = None,
            Ok(count) => self.keep(buffer.get(..count).unwrap_or_default()),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => {
                // Or poll would announce the same error for ever.
                self.reader = None;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether every writer has closed its end and all of it was read.
    pub(super) fn ended(&self) -> bool {
        self.reader.is_none()
    }

    /// Whether more than the bound arrived.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// What arrived, up to the bound.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }

    fn keep(&mut self, arrived: &[u8]) {
        let room = self.bound.saturating_sub(self.kept.len());
        let fits = arrived.get(..room).unwrap_or(arrived);
        self.overflowed |= fits.len() < arrived.len();
        let needed = self.kept.len() + fits.len();
        if needed > self.kept.capacity() {
            // Doubling as Vec does, but never to more than the bound.
            let capacity = self
                .kept
                .capacity()
                .saturating_mul(2)
                .min(self.bound)
                .max(needed);
            self.kept.reserve_exact(capacity - self.kept.len());
        }
        self.kept.extend_from_slice(fits);
    }
}
