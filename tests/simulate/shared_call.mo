// A call in a nonlinear loop that does not depend on its unknowns is a row of its own, also with a choice of
// branches around it, so that it is not evaluated at every iterate. A call in a branch that may not be taken
// stays there.
//! command simulate {file} --output - --stop 1 --intervals 2
//! check {rubato} simulate {file} --dump=share --stop-after=share > s; grep -q '^v[0-9]* := v[0-9]* = SharedCall.root(time' s && grep -q '^v.*(if first then' s && grep -q '^  .*(if x > 100 then SharedCall.root(7' s && ! grep '^  ' s | grep -q first
//! near x(1) = 1.414213562373095 within 1e-8
//! near y(1) = 2 within 1e-8
model SharedCall
  function root
    input Real u;
    output Real y = 1;
  algorithm
    while abs(y*y - u) > 1e-13 loop
      y := (y + u/y)/2;
    end while;
  end root;
  parameter Boolean first = true;
  Real x(start = 1), y(start = 1);
equation
  x^3 + x*y = 2*root(1 + time) + 2*(if first then root(2*time) else root(3*time));
  x*y^2 = 4*root(1 + time) + (if x > 100 then root(7*x) else 0);
end SharedCall;
