//! Reads the fixtures.
