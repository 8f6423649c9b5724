//! command explain P1O2
//! exit 2
//! message there is no message code 'P1O2'
