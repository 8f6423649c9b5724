//! input {rubato} simulate {dir}/plot.mo --output p.mat --intervals 20 --quiet
//! command plot {tmp}/p.mat kk
//! exit 1
//! message the result has no variable 'kk'; did you mean 'k'?
