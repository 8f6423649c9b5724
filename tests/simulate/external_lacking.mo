// A function that C code calls and nobody defines is an error of the call, not the end of the process.
//! command simulate Ext.Lacks --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! error R115 164:12
//! exit 3
//! message its C code calls ext_given, which is defined nowhere
