// Objects end also when the run fails.
//! command simulate Ext.Lost --library {dir}/input/Ext --output -
//! environment XDG_CACHE_HOME={tmp}
//! error R115 21:12
//! exit 3
//! message x is too large
//! message the line 7 x + 1 ends
