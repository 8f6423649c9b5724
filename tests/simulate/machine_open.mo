// Equations of states that are solved for no variable: of Integers, Booleans, arrays and in loops. State a is active
// at even values of n up to 4, and keeps its values otherwise.
//! command simulate {file} --output - --stop 5 --interval 0.5
//! near a.i(0.5) = -3 within 0
//! near a.j(0.5) = -6 within 0
//! near a.on(0.5) = 1 within 0
//! near a.x[1](2.5) = 1 within 1e-12
//! near a.x[2](2.5) = 2 within 1e-12
//! near a.i(2.5) = -1 within 0
//! near a.i(3.5) = -1 within 0
//! near a.on(2.5) = 0 within 0
//! near a.y[1](2.5) = 1 within 1e-12
//! near a.y[3](2.5) = 3 within 1e-12
//! near a.y[3](3.5) = 3 within 1e-12
//! near a.y[3](4.5) = 1 within 1e-12
//! near a.x[1](4.5) = 2 within 1e-12
model Open
  block A
    input Integer u;
    Integer i(start = 0), j(start = 0);
    Boolean on(start = false);
    Real x[2](each start = 0), y[3](each start = 0);
  equation
    u - i = 3;
    i + j = 3*i - (3 - 3);
    not on = u > 1;
    {{2, 1}, {1, 3}}*x = {2.0*u, 3.5*u};
    for k in 1:3 loop
      y[k] + u = 2 + k;
    end for;
  end A;
  block B
    Integer k(start = 0);
  equation
    k = previous(k) + 1;
  end B;
  A a(u = n);
  B b;
  Integer n(start = -1);
equation
  when Clock(1, 1) then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, mod(n, 2) == 1);
  transition(b, a, mod(n, 2) == 0);
end Open;
