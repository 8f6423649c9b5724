// A relation with time that does not hold at its own instant changes right after it.
//! command simulate {file} --output - --stop 1 --intervals 10
//! near x(1) = 1.7 within 1e-9
//! near y(1) = 1.7 within 1e-9
//! near z(1) = 1.3 within 1e-9
model TimeEventStrict
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  parameter Real T = 0.7;
  Boolean b = time > T;
  Boolean c = 2*(T - time) >= 0;
equation
  der(x) = if b then 1 else 2;
  der(y) = if c then 2 else 1;
  der(z) = if time <= T then 1 else 2;
end TimeEventStrict;
