//! Components written to break the boundary, against the host.
