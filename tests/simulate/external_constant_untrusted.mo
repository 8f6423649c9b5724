// Opening a file does not run the code that lies beside it, while translating neither.
//! command check {dir}/input/Ext/package.mo --model Ext.Fails
//! environment XDG_CACHE_HOME={tmp}
//! error F150 54:12
//! message external function 'ext_fails' is not available: its library has no C sources, or is not installed
