// The sign of a friction force is a Real that Booleans of the same block decide: it moves in steps, too, so the block is
// linear between events, and its matrix lasts as long.
//! command simulate {file} --stop 3 --output -
//! near s(3) = 1.999998 within 1e-6
//! near side(3) = -1 within 0
//! check {rubato} simulate {file} --dump=tear --stop-after=tear | grep -q 'piecewise constant mixed block of 7, 1 iteration variables'
model FrictionSign
  Real s(start = 0, fixed = true), v(start = 2, fixed = true), a, f, sa(start = 0), side;
  Integer mode(start = 1, fixed = true);
  Boolean startF(start = false, fixed = true), startB(start = false, fixed = true), locked(start = false, fixed = true);
equation
  der(s) = v;
  der(v) = a;
  1*a = (if time > 10 then 5 else 0) - f;
  startF = pre(mode) == 0 and (sa > 1 or pre(startF) and sa > 1);
  startB = pre(mode) == 0 and (sa < -1 or pre(startB) and sa < -1);
  locked = not (pre(mode) == 1 or pre(mode) == -1 or startF or startB);
  side = if startF or pre(mode) == 1 then 1 else -1;
  a = if locked then 0 else sa - side;
  f = if locked then sa else side*cosh(side*v*1e-3);
  mode = if (pre(mode) == 1 or startF) and v > 0 then 1 else if (pre(mode) == -1 or startB) and v < 0 then -1 else 0;
end FrictionSign;
