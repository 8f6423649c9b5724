// An object that a function makes for itself ends with the call: one line remains.
//! command simulate Ext.Local --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.5) = 3.5 within 1e-12
//! near n(0.9) = 1 within 0
//! message the line 1 x + 1 ends
