// A URI names a file of the library, wherever the model runs.
//! command simulate Ext.File --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 43 within 1e-12
