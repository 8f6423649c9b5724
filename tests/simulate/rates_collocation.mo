// Fully implicit methods estimate errors with a looser tolerance, because their results are better than their
// estimates. Their polynomials are not: what fast states see of slow ones must meet the tolerance as asked for.
//! command simulate {dir}/../../examples/multirate/TwoTempos.mo --rates 2 --method radauIIA7 --tolerance 1e-8 --output -
//! near error[1](5) = 0 within 5e-8
//! check for m in radauIIA5 radauIIA7 gauss4; do {rubato} simulate {dir}/../../examples/multirate/TwoTempos.mo --rates 2 --method $m --tolerance 1e-8 --intervals 2000 --quiet --variables '^error.1' --output r.csv || exit 1; awk -F, -v m=$m 'NR > 1 && ($2 > 5e-8 || $2 < -5e-8) { print m ": error " $2 " at " $1; exit 1 }' r.csv || exit 1; done
model Unused
end Unused;
