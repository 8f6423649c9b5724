// Every multi-rate example runs with the chosen number of levels, and its numbers are those of one rate.
//! command simulate {dir}/../../examples/multirate/TwoTempos.mo --rates auto --tolerance 1e-8 --stop 2 --output -
//! near error[1](2) = 0 within 1e-6
//! near error[2](2) = 0 within 1e-6
//! check for m in 'BurgersFront 0.4' 'ThermalChip 0.1' 'CoupledPair 2' 'PowerRing 4' 'HeatedRooms 60' 'SwitchingRooms 300'; do set -- $m; for r in 1 auto; do {rubato} simulate {dir}/../../examples/multirate/$1.mo --rates $r --stop $2 --tolerance 1e-8 --intervals 20 --quiet --output $r.csv || exit 1; done; {rubato} compare auto.csv 1.csv --tolerance 1e-4 > out || { tail -3 out; exit 1; }; done
model Unused
end Unused;
//! long
