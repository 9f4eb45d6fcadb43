//! One output of a process, read as it comes: never waited for, and never kept past its bound.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::buffer::spare_capacity;
use rustix::io::Errno;

/// There is always room for this much, in bytes: most answers whole.
const FIRST_READ: usize = 4 << 10;
/// The most that one read makes room for, in bytes: a pipe's whole capacity.
const READ: usize = 64 << 10;

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

    /// Reads once, without waiting.
    pub(super) fn read(&mut self) -> io::Result<()> {
        let Some(reader) = &self.reader else {
            return Ok(());
        };
        make_room(&mut self.kept, self.bound);
        match rustix::io::read(reader, spare_capacity(&mut self.kept)) {
            Ok(0) => self.reader = None,
            Ok(_) => {
                self.overflowed |= self.kept.len() > self.bound;
                self.kept.truncate(self.bound);
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => {
                // Or poll would announce the same error for ever.
                self.reader = None;
                return Err(error.into());
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
}

/// Makes room to read into: more for what has grown large, at most a pipe's whole capacity past
/// the bound.
fn make_room(kept: &mut Vec<u8>, bound: usize) {
    let room = kept.len().clamp(FIRST_READ, READ);
    let needed = kept.len().saturating_add(room);
    if needed > kept.capacity() {
        // Doubling as Vec does, but never past what is kept.
        let most = bound.saturating_add(READ);
        let capacity = kept.capacity().saturating_mul(2).min(most).max(needed);
        kept.reserve_exact(capacity.saturating_sub(kept.len()));
    }
}
