// A zero byte inside a string is part of it: nothing is cut off silently.
//! input printf 'model M "a\000b" Real x\nend M;\n' > {tmp}/input.mo
//! command parse {tmp}/input.mo
//! error P102 1:21
