// Equations of a state that are solved for no variable: a system of them holds while the state is active, and
// what it determines is kept otherwise.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near a.y(1) = 2 within 1e-9
//! near a.x(1) = 1 within 1e-9
//! near a.c(1) = 1.3247179572447460 within 1e-8
//! near a.x(2) = 3 within 1e-9
//! near a.x(4) = 3 within 1e-9
//! near a.y(4) = 0 within 1e-9
//! near a.x(4.5) = 6 within 1e-9
//! near a.y(4.5) = -3 within 1e-9
model Implicit
  Integer n(start = -1);
  block A
    input Real u;
    Real x(start = 0), y(start = 0), c(start = 1);
  equation
    x + y = 3;
    x - y = 2*u - 3;
    c^3 - c = 1;
  end A;
  block B
    Integer k(start = 0);
  equation
    k = previous(k) + 1;
  end B;
  A a(u = n);
  B b;
equation
  when Clock(1, 1) then
    n = previous(n) + (if previous(n) < 0 then 2 else if previous(n) == 1 then 2 else 1);
  end when;
  initialState(a);
  transition(a, b, n == 4);
  transition(b, a, n == 6);
end Implicit;
