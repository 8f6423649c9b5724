// Methods of our own, and the libraries that --solver takes instead.
//! needs SUNDIALS
//! command methods
//! output radauIIA5
//! output cvode    BDF of order 1 to 5
//! output ida      BDF of order 1 to 5
//! output arkode   diagonally implicit
