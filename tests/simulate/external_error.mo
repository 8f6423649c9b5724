// An error of external code while the model runs: steps are rejected until none is small enough.
//! command simulate {dir}/input/Ext/package.mo --model Ext.Later --trust --output -
//! environment XDG_CACHE_HOME={tmp}
//! error R115 21:12
//! exit 3
//! message the simulation failed at time 0.5: x is too large
