// Equations of Integers and Booleans in states, which are solved for a variable without a remainder, by branches where
// they choose. State a is active at n = 0, 1, 4, 5 and keeps its values otherwise. At n = 5:
//   2*i = 2*n + 4 gives i = 7; -j = i + 1: j = -8; k = 2*k - n: k = 5; 6*l - 2*n = 4*l: l = 5; (n > 4: m + 1 = n): m = 4,
//   before: 2*m = 4*n; p = {5, 6} - (5, 5) = {0, 1}; r + q = s with q = n, s = 3: r = -2; e is false where n > 3.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near a.i(5.5) = 7 within 0
//! near a.j(5.5) = -8 within 0
//! near a.k(5.5) = 5 within 0
//! near a.l(5.5) = 5 within 0
//! near a.m(5.5) = 4 within 0
//! near a.p[1](5.5) = 0 within 0
//! near a.p[2](5.5) = 1 within 0
//! near a.r(5.5) = -2 within 0
//! near a.e(5.5) = 0 within 0
//! near a.i(1.5) = 3 within 0
//! near a.m(1.5) = 2 within 0
//! near a.e(1.5) = 1 within 0
//! near a.i(3.5) = 3 within 0
//! near a.j(3.5) = -4 within 0
//! near a.p[2](3.5) = 5 within 0
//! near a.e(3.5) = 1 within 0
//! near a.r(3.5) = 2 within 0
model Integers
  block A
    input Integer n;
    Integer i(start = 0), j(start = 0), k(start = 0), l(start = 0), m(start = 0);
    Integer p[2](each start = 0), q(start = 0), r(start = 0), s(start = 0);
    Boolean e(start = false);
  equation
    2*i = 2*n + 4;
    -j = i + 1;
    k = 2*k - n;
    6*l - 2*n = 4*l;
    if n > 4 then
      m + 1 = n;
      not e = n > 3;
    else
      2*m = 4*n;
      e = not n > 3;
    end if;
    p + {n, n} = {5, 6};
    r + q = s;
    q = n;
    s = 3;
  end A;
  block B
    Integer k(start = 0);
  equation
    k = previous(k) + 1;
  end B;
  A a(n = n);
  B b;
  Integer n(start = -1);
equation
  when Clock(1, 1) then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, mod(n, 4) == 2);
  transition(b, a, mod(n, 4) == 0);
end Integers;
