// Code of a library that the user named runs.
//! command simulate Ext.M --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.75) = 1.5 within 1e-12
