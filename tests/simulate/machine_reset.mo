// Transitions with and without reset (17.3.2): a state that is entered without reset goes on where it was
// left, and a machine in it in the state where it was. A reset of a machine reaches states that are not
// active when they become active.
//! command simulate {file} --output - --stop 12 --interval 0.5
//! near a.n(1.5) = 2 within 0
//! near a.n(2.5) = 2 within 0
//! near a.n(3.5) = 3 within 0
//! near a.n(6.5) = 1 within 0
//! near a.p.k(1.5) = 2 within 0
//! near a.q.k(3.5) = 11 within 0
//! near a.q.k(4.5) = 12 within 0
//! near a.q.k(8.5) = 12 within 0
//! near a.p.k(6.5) = 1 within 0
//! near a.p.k(7.5) = 2 within 0
//! near a.q.k(9.5) = 11 within 0
//! near which(3.5) = 2 within 0
//! near which(6.5) = 1 within 0
//! near which(9.5) = 2 within 0
//! near total(9.5) = 3 within 0
model Reset
  block Step
    parameter Integer first = 0;
    Integer k(start = first);
  equation
    k = previous(k) + 1;
  end Step;
  block A
    Integer n(start = 0);
    Step p, q(first = 10);
  equation
    n = previous(n) + 1;
    initialState(p);
    transition(p, q, p.k >= 2, immediate = false);
  end A;
  block B
  end B;
  A a;
  B b;
  Integer n(start = -1), which, total(start = 0);
equation
  when Clock(1) then
    n = previous(n) + 1;
    total = previous(total) + (if activeState(b) then 1 else 0);
  end when;
  initialState(a);
  transition(a, b, n == 2 or n == 5 or n == 8);
  transition(b, a, n == 3, reset = false);
  transition(b, a, n == 6, reset = true, priority = 2);
  transition(b, a, n == 9, reset = false, priority = 3);
  which = if activeState(a.p) then 1 elseif activeState(a.q) then 2 else 0;
end Reset;
