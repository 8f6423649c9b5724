model M Real x; end M;
//! command format --check {file}
//! exit 1
//! output format_check.mo
