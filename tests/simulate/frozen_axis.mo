// Elements of protected parameters that cannot change are numbers in rows where they are 0, 1 or -1: of
// the product with an axis of coordinates one term is left, and the others are zero.
//! command simulate {file} --no-cache --stop 1 --output -
//! near v[1](1) = 0 within 1e-12
//! near v[3](1) = 2 within 1e-6
//! near s(1) = -2 within 1e-6
//! check {rubato} simulate {file} --no-cache --stop-after aliases --dump aliases > out && grep -q "v\[1\] = 0" out && grep -q "v\[3\] = x" out && ! grep -q "j.e" out
model M
  model Joint
    parameter Real n[3] = {0, 0, 2} annotation(Evaluate = true);
    input Real w;
    Real v[3] = e*w, s = -e[3]*w + e[1]*sin(w);
  protected
    parameter Real e[3] = n/sqrt(n*n);
  end Joint;
  Real x(start = 1, fixed = true);
  Joint j(w = x);
  Real v[3] = j.v, s = j.s;
equation
  der(x) = 1;
end M;
