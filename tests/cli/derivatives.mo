// der(x) of the states is recorded when it is asked for; the message of plot says how.
//! command simulate {file} --output - --intervals 4 --tolerance 1e-9 --derivatives
//! near der(x)(0) = -2 within 1e-12
//! near der(x)(1) = -0.2706705664732254 within 1e-8
//! near der(y)(1) = 0.1353352832366127 within 1e-8
//! input {rubato} simulate {file} --output r.mat --quiet
//! check {rubato} plot r.mat 'der(x)' 2>&1 | grep -q "no variable 'der(x)': 'rubato simulate --derivatives' records derivatives"
//! check {rubato} simulate {file} --output d.mat --quiet --derivatives --variables 'der' && test $({rubato} variables d.mat | wc -l) = 2
model Decay
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -2*x;
  der(y) = x;
end Decay;
