// What the external code reports is part of the message.
//! command check Ext.Fails --library {dir}/input/Ext
//! environment XDG_CACHE_HOME={tmp}
//! error F150 54:12
//! message x is too large
