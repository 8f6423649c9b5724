// Functions defined as partial derivatives: of branches, loops, twice and mixed.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near a(1) = 12 within 1e-12
//! near b(1) = 12 within 1e-12
//! near c(1) = 12 within 1e-12
//! near d(1) = 3 within 1e-12
//! near e(1) = 0 within 1e-12
//! near g(1) = 5 within 1e-12
model FunctionPartial
  function f
    input Real x;
    input Real y;
    input Integer n;
    output Real z;
  algorithm
    z := y;
    for i in 1:n loop
      z := z*x;
    end for;
    if y < 0 then
      z := 5*x;
    end if;
  end f;
  function fx = der(f, x);
  function fxx = der(f, x, x);
  function fxy = der(f, x, y);
  function fy = der(f, y);
  Real a = fx(2*time, 1, 3);
  Real b = fxx(2*time, 1, 3);
  Real c = fxy(2*time, 7, 3);
  Real d = fy(time, 2, 1) + 2;
  Real e = fxx(time, -1, 3);
  Real g = fx(time, -1, 3);
end FunctionPartial;
