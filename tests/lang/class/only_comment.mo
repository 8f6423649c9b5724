// nothing here
//! error P120 1:1
