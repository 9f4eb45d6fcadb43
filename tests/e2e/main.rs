//! The built binary against real processes.
