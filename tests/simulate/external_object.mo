// Objects of external code: each keeps its own values from its constructor and ends with the run,
// the last one first.
//! command simulate Ext.Object --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 8.5 within 1e-12
//! message the line 6 x + 0 ends\nthe line 3 x + 1 ends
