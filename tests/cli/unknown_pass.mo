//! command parse --dump=nothing x.mo
//! exit 2
//! message there is no pass 'nothing'
