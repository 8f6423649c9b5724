// What is made of parameters and discrete variables alone is computed at events, not with derivatives:
// b, g, h, k and p rest between them, and the matrix of the loop is made of h alone.
//! command simulate {file} --no-cache --stop 2 --tolerance 1e-9 --output -
//! near x(1) = 0.36787944 within 1e-7
//! near y(2) = 5 within 1e-9
//! near k(0.5) = 2.5 within 1e-12
//! near k(2) = 5 within 1e-12
//! near p(1) = 3 within 1e-12
//! near u(2) = 0.02602602 within 1e-8
//! check {rubato} simulate {file} --no-cache --stop-after schedule --dump schedule > out && test $(grep -c "at events" out) = 5
//! check {rubato} simulate {file} --no-cache --stop-after tear --dump tear > out && grep -q "constant linear block of 2" out
model M
  parameter Real a = 2;
  Real g = 1 + a^2/4, h = g*a + 1, k = if b then h else h/2, p = g + 1;
  Boolean b = time >= 1;
  Real x(start = 1, fixed = true), y = k*(x + 1)/(x + 1);
  Real u, w;
equation
  der(x) = -x;
  h*u + w = x;
  u - h*w = 0;
end M;
