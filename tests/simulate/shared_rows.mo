// Rows share what they compute: sin(x) of two formulas is one row, and what a torn block would compute
// for each of its residuals stands in front of it.
//! command simulate {file} --no-cache --stop 1 --tolerance 1e-9 --output -
//! near x(1) = 1.36787944 within 1e-7
//! near p(1) = 3.32684527 within 1e-7
//! near q(1) = 2.93844874 within 1e-7
//! near u(1) = 0.93167124 within 1e-7
//! near w(1) = 0.18775712 within 1e-7
//! check {rubato} simulate {file} --no-cache --stop-after emit --dump emit > out && test $(grep -o "sin(x\[0\])" out | wc -l) = 1
//! check {rubato} simulate {file} --no-cache --stop-after share --dump share > out && grep -q " = sin(x)" out && ! grep -q "^  .*exp(x)\*sin(x)" out
model M
  Real x(start = 2, fixed = true), p, q, u, w;
equation
  der(x) = 1 - x;
  p = 2*sin(x) + x;
  q = 3*sin(x);
  u*exp(x) + w = sin(x)*exp(x);
  w - u*cos(x) = 0;
end M;
