// --theta with the name of a state: its derivative is multiplied by THETA wherever it stands. The equilibrium z = y of
// the fast one is exact, so that y = exp(-t) and the product of the other two is a parameter of nobody.
//! command simulate {file} --theta z,w[1],w[2] --tolerance 1e-9 --output -
//! stat states = 1
//! stat theta.states = 3
//! near y(1) = 0.36787944117 within 1e-8
//! near z(1) = 0.36787944117 within 1e-8
//! near w[1](1) = 0.73575888234 within 1e-8
//! near w[2](1) = 1.10363832351 within 1e-8
model M
  Real y(start = 1, fixed = true), z(start = 0, fixed = true), rate, w[2];
equation
  der(y) = -z;
  rate = der(z);
  rate = 1e3*(y - z);
  der(w) = 1e4*({2, 3}*z - w);
end M;
