// Constants and sizes computed by C code of a library while translating: arrays, sizes, texts.
//! command simulate Ext.Constants --library {dir}/input/Ext --output - --stop 1
//! environment XDG_CACHE_HOME={tmp}
//! near y(1) = 24 within 0
//! near x[13](1) = 1 within 1e-12
//! near same(1) = 1 within 0
