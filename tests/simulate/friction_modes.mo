// A mass slides to rest and sticks: friction with an Integer mode, locked by a mixed block.
//! command simulate {file} --stop 3 --output -
//! near s(3) = 2 within 1e-6
//! near dir(3) = 0 within 0
model FrictionModes
  Real s(start=0, fixed=true), v(start=2, fixed=true), a, f, sa(start=0);
  Integer mode(start=1, fixed=true);
  Boolean startF(start=false, fixed=true), startB(start=false, fixed=true), locked(start=false, fixed=true);
  Integer dir = mode;
equation
  der(s) = v;
  der(v) = a;
  1*a = (if time > 10 then 5 else 0) - f;
  startF = pre(mode) == 0 and (sa > 1 or pre(startF) and sa > 1);
  startB = pre(mode) == 0 and (sa < -1 or pre(startB) and sa < -1);
  locked = not (pre(mode) == 1 or pre(mode) == -1 or startF or startB);
  a = if locked then 0 else if startF then sa - 1 else if startB then sa + 1 else if pre(mode) == 1 then sa - 1 else sa + 1;
  f = if locked then sa else if startF or pre(mode) == 1 then 1 else -1;
  mode = if (pre(mode) == 1 or startF) and v > 0 then 1 else if (pre(mode) == -1 or startB) and v < 0 then -1 else 0;
end FrictionModes;
