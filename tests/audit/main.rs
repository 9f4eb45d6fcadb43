//! The tools of a reviewer, over the binary.
