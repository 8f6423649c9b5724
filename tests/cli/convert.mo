// To CSV and back: the same values, units and descriptions; negated aliases share their column.
//! input {rubato} simulate {dir}/plot.mo --output p.mat --intervals 20 --quiet
//! command convert {tmp}/p.mat --output {tmp}/q.mat
//! check cmp p.mat q.mat
//! check {rubato} convert p.mat --output q.csv && {rubato} compare q.csv p.mat --tolerance 1e-15 --quiet | grep -q "4 of 4" && {rubato} convert q.csv --output z.csv --variables '^z$' && head -1 z.csv | grep -q '^"time","z"$'
