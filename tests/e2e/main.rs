//! The built binary against real processes.

mod demo;
