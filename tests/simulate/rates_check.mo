// Every evaluation of a part, of derivatives or crossings, has the bits of an evaluation of the whole.
//! command simulate {dir}/../../examples/multirate/SwitchingCells.mo --rates 3 --check-parts --tolerance 1e-5 --stop 3 --output -
//! near T[100](3) = 291.4 within 1
//! stat mismatches = 0
//! stat events_state > 50
//! stat levels[2].steps > 50
//! check {rubato} simulate {dir}/../../examples/multirate/DelayLine.mo --rates 3 --check-parts --quiet --output r.csv --stats s --stop 0.5 && grep -q '"mismatches":0' s
//! check {rubato} simulate {dir}/../../examples/multirate/HeatingSystem.mo --rates 3 --check-parts --quiet --output r.csv --stats s --tolerance 1e-4 --stop 1000 && grep -q '"mismatches":0' s
//! check {rubato} simulate {dir}/../../examples/multirate/InverterChain.mo --rates 3 --check-parts --quiet --output r.csv --stats s --tolerance 1e-4 --stop 7 && grep -q '"mismatches":0' s
//! check {rubato} simulate {dir}/../../examples/multirate/ReactionFront.mo --rates 3 --check-parts --quiet --output r.csv --stats s --tolerance 1e-4 --stop 0.1 && grep -q '"mismatches":0' s
//! check {rubato} simulate {dir}/../../examples/multirate/ThreeTempos.mo --rates 3 --check-parts --quiet --output r.csv --stats s --stop 1 && grep -q '"mismatches":0' s
//! check {rubato} simulate {dir}/rates_loops.mo --rates 3 --check-parts --quiet --output r.csv --stop 0.1
//! check {rubato} simulate {dir}/rates_events.mo --rates 3 --check-parts --quiet --output r.csv --tolerance 1e-6
//! long
