// The parasitic capacitor of the diode circuit is found, tried and named.
//! command advise {dir}/../../examples/theta/Circuits.mo --model Circuits.Circuit1Dynamic --stop 0.65
//! output Circuits.Circuit1Dynamic: 2 states, looked at in 40 places up to time 0.65\n
//! output   Cn1.v  
//! output   --theta 'Cn1.v'\n
//! check {rubato} advise {dir}/../../examples/theta/Circuits.mo --model Circuits.Circuit1Dynamic --stop 0.65 > out; awk '/with --theta/ {exit !($3 < 40 && $5 == 0)}' out && awk '/differences/ {exit !($10 < 1e-5)}' out
//! long
