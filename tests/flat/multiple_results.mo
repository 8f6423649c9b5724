//! command flat {file}
//! output (a, b) = M.f(time);
model M
  function f
    input Real u;
    output Real p;
    output Real q;
  algorithm
    p := u;
    q := 2*u;
  end f;
  Real a;
  Real b;
equation
  (a, b) = f(time);
end M;
