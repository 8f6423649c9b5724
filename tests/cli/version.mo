//! command --version
//! output rubato 0.2.0 (
