//! command prase x
//! exit 2
//! message unknown command 'prase'; did you mean 'parse'?
//! check {rubato} Ball.mo 2>&1 | grep -q "did you mean 'rubato simulate Ball.mo'?"
