//! command help plot
//! output rubato plot [options] RESULT VARIABLE...
//! output Examples:\n  rubato plot Ball_res.mat h v\n
//! check {rubato} plot -h > a && {rubato} help plot > b && {rubato} plot --help > c && cmp a b && cmp b c
//! check ! grep -q -- --tolerance a
