//! command simulate {dir}/input/Ext/package.mo --model Ext.M --trust --output -
//! environment XDG_CACHE_HOME={tmp}
//! near y(0.25) = 0.5 within 1e-12
