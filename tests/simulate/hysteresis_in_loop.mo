//! command simulate {file} --stop 40 --output -
//! near x(40) = 16.6644 within 1e-6
//! near u(40) = -2 within 1e-6
//! check for h in 1e-9 1e-7 1e-5; do {rubato} simulate {file} --stop 15 --set high=$h --set low=-$h --variables '^[xy]$' --output - | tail -1 | python3 -c "import sys; t,y,x=map(float,sys.stdin.read().split(',')); assert y==1 and abs(x-(5-10*$h))<1e-6, (x,y)" || exit 1; done
//! check {rubato} simulate {file} --model NoMemory 2>&1 | grep -q "has no consistent branch"
// A hysteresis that acts on its own input: the moment u reaches high, y = true makes it smaller again, and
// with the old pre(y) no branch agrees with its solution. The next round of the event, with the new one, does.
model NoMemory
  Real a(start = -1, fixed = true), u;
  Boolean y;
equation
  der(a) = 1;
  u = a - (if y then 0.5 else 0);
  y = u > 0;
  annotation(experiment(StopTime = 2));
end NoMemory;

model HysteresisInLoop
  Real a(start = -1, fixed = true);
  Real u, w;
  Boolean y(start = false, fixed = true);
  parameter Real g = 0.16, low = -1e-3, high = 1e-3;
  Real x(start = 0, fixed = true);
equation
  der(a) = if time < 20 then 0.1 else -0.15;
  w = if y then g*u else 0;
  u = a - w;
  y = not pre(y) and u > high or pre(y) and u >= low;
  der(x) = if y then 1 else 0;
end HysteresisInLoop;
