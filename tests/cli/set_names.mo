// Blanks around names and values, start values, elements, arrays, records; a parameter that is
// bound to another one is set, not the other.
//! command simulate {file} --set ' y = 5 ' --set s.start=8 --set v[2]=20 --set 'w = {4, 5, 6}' --set q.r.a=10 --set 'p.r = R(3, 4)' --set b=false --output - --stop 1
//! near x(0) = 1 within 0
//! near y(0) = 5 within 0
//! near z(0) = 10 within 0
//! near s(0) = 8 within 0
//! near v[1](0) = 1 within 0
//! near v[2](0) = 20 within 0
//! near w[3](0) = 6 within 0
//! near q.r.a(0) = 10 within 0
//! near q.r.b(0) = 2 within 0
//! near p.r.b(0) = 4 within 0
//! near b(0) = 0 within 0
//! near g(0) = 1 within 1e-9
model SetNames
  record R Real a = 1; Real b = 2; end R;
  record Q R r; Real c = 3; end Q;
  parameter Real x = 1, y = x, z = 2*y, v[3] = {1, 2, 3}, w[3] = {1, 2, 3};
  parameter Q q, p;
  parameter Boolean b = true;
  Real s(start = 7, fixed = true), g(start = 2);
equation
  der(s) = 0;
  g^3 = time + 1;
end SetNames;
