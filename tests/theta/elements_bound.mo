// An infinitely fast element of an array binds two slow states: the index reduction differentiates its equilibrium, which is
// not the rate of the process. The process gives u = 2*i[1] + 3 - sin(time), so that with j = 2*i[1]
// der(j) = -2*j - 3 + sin(time) and j = 2.7*exp(-2*time) - 1.5 + (2*sin(time) - cos(time))/5; k = 3*i[1] follows, and w is what
// that takes. i[2] is a state beside.
//! command simulate {file} --stop 1 --intervals 2 --tolerance 1e-10 --output -
//! stat theta.states = 1
//! stat states = 2
//! near i[1](0) = 0.5 within 1e-10
//! near j(1) = -0.906066802511615 within 1e-7
//! near k(1) = -1.359100203767422 within 1e-7
//! near w(1) = -1.878693319020733 within 1e-7
//! near i[2](1) = 0.632120558829 within 1e-7
model ElementsBound
  parameter Real L[2] = {1e-9*Rubato.THETA, 1};
  Real i[2](each start = 0), j(start = 1, fixed = true), k, u, w;
initial equation
  i[2] = 0;
equation
  L[1]*der(i[1]) = u - 2*i[1] - 3 + sin(time);
  L[2]*der(i[2]) = 1 - i[2];
  j = 2*i[1];
  k = 3*i[1];
  der(j) = -u - j;
  der(k) = w - k;
end ElementsBound;
