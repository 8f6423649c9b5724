// Objects of external code: each keeps its own values from its constructor.
//! command simulate Ext.Object --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 8.5 within 1e-12
