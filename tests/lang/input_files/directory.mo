//! input mkdir {tmp}/a.mo
//! command format {tmp}/a.mo
//! error S101
//! message no .mo file below
