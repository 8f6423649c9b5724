// Opening a file does not run the code that lies beside it.
//! command simulate {dir}/input/Ext/package.mo --model Ext.M --output -
//! environment XDG_CACHE_HOME={tmp}
//! error R115 2:12
//! exit 3
