model M Real x; end M;
//! input cp {file} {tmp}/a.mo
//! command format --in-place {tmp}/a.mo
//! check grep -q '^  Real x;$' a.mo
