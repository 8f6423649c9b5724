// Integer and Boolean equations that are not v = e: solved without a remainder. At t = 2.5 n is 2.
//! command simulate {file} --output - --stop 2.5 --interval 0.5
//! near a(2.5) = 1 within 0
//! near b(2.5) = -2 within 0
//! near c(2.5) = 4 within 0
//! near d(2.5) = 2 within 0
//! near e(2.5) = 1 within 0
//! near e(0.5) = 0 within 0
//! near f(2.5) = 0 within 0
//! near f(0.5) = 1 within 0
//! near g(2.5) = 6 within 0
//! near g(1.5) = -3 within 0
//! near i(2.5) = 4 within 0
//! near j(2.5) = 0 within 0
model Integers
  Integer n = integer(time);
  Integer a, b, c, d, e, g, i, j;
  Boolean f;
equation
  a + 1 = n;
  -b = n;
  2*c = 2*n + 4;
  d = 2*d - n;
  if n > 1 then
    e + 1 = n;
    f = n < 1;
  else
    2*e = 4*n;
    not f = n > 0;
  end if;
  (if n > 1 then g else -g) = 3*n; // g is 0, -3, 6
  i + j = 2*n;
  i - j = 4;
end Integers;
