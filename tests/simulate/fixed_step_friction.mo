// A mass that sticks begins to slide: a step of given length cannot be tried again with a shorter one, so
// the first crossing after an event counts as it is. The value is that of steps with a tolerance of 1e-9.
//! command simulate {file} --method rodas4 --fixed-step 0.05 --stop 10 --output -
//! near s(10) = 7.88625547 within 1e-6
//! near v(10) = 1.50330886 within 1e-6
model FixedFriction
  Real s(start=0, fixed=true), v(start=0, fixed=true), a, f, sa(start=0);
  Integer mode(start=0, fixed=true);
  Boolean startF(start=false, fixed=true), startB(start=false, fixed=true), locked(start=true, fixed=true);
equation
  der(s) = v;
  der(v) = a;
  1*a = 3*sin(time) - f;
  startF = pre(mode) == 0 and (sa > 1 or pre(startF) and sa > 1);
  startB = pre(mode) == 0 and (sa < -1 or pre(startB) and sa < -1);
  locked = not (pre(mode) == 1 or pre(mode) == -1 or startF or startB);
  a = if locked then 0 else if startF then sa - 1 else if startB then sa + 1 else if pre(mode) == 1 then sa - 1 else sa + 1;
  f = if locked then sa else if startF or pre(mode) == 1 then 1 else -1;
  mode = if (pre(mode) == 1 or startF) and v > 0 then 1 else if (pre(mode) == -1 or startB) and v < 0 then -1 else 0;
end FixedFriction;
