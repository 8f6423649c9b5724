// A parameter is multiplied by THETA from outside: the model is the one with the ordinary capacitor.
//! command simulate {dir}/../../examples/theta/Circuits.mo --model Circuits.Circuit1Dynamic --theta Cn1.C --stop 1 --interval 1e-3 --tolerance 1e-10 --output -
//! stat states = 1
//! stat theta.states = 1
//! near C1.v(1e-3) = 9.9663869457 within 9.97e-07
//! near R1.v(1e-3) = 8.0581241006 within 8.06e-07
//! near C1.v(0.01) = 95.3592912750 within 9.54e-06
//! near R1.v(0.01) = 93.1573152647 within 9.32e-06
//! near C1.v(0.1) = 633.6123745151 within 6.34e-05
//! near R1.v(0.1) = 631.1808021676 within 6.31e-05
//! near C1.v(1) = 1002.4412188325 within 0.0001
//! near R1.v(1) = 999.9544324016 within 0.0001
//! check {rubato} simulate {dir}/../../examples/theta/Circuits.mo --model Circuits.Circuit1Dynamic --theta Cn1.C,R1.R --quiet 2> out; test $? = 1 && grep -q "error H10" out
