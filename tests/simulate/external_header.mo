// Code that the Include annotation names lies in the Include folder of the library.
//! command simulate Ext.Header --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 2.25 within 1e-12
