// Derivatives in states: x is integrated from tick to tick while its state is active, keeps its value
// otherwise, and has its start value when the state starts anew. State a is active at the ticks 0, 1, 2,
// then b at 3 and 4, then a again, without reset at tick 5 and with reset at tick 10.
//! command simulate {file} --output - --stop 6 --interval 0.25
//! near ie.a.x(1.25) = 0.4444444444444444 within 1e-12
//! near ie.a.x(2.25) = 0.4444444444444444 within 1e-12
//! near ie.a.x(2.75) = 0.2962962962962963 within 1e-12
//! near ie.b.x(1.25) = 0 within 0
//! near ie.b.x(1.75) = 0 within 0
//! near ie.b.x(2.25) = 0.5 within 1e-12
//! near ie.a.x(5.25) = 1 within 1e-12
//! near ie.a.x(5.75) = 0.6666666666666667 within 1e-12
//! near ee.a.x(0.75) = 0.5 within 1e-12
//! near ee.a.x(1.25) = 0.25 within 1e-12
//! near ee.a.x(2.25) = 0.25 within 1e-12
//! near ee.a.x(2.75) = 0.25 within 1e-12
//! near ee.a.x(3.25) = 0.125 within 1e-12
//! near ee.b.x(2.25) = 0.5 within 1e-12
//! near ee.a.x(5.25) = 1 within 1e-12
//! near ee.a.x(5.75) = 0.5 within 1e-12
//! near it.a.x(1.25) = 0.36 within 1e-12
//! near it.a.x(2.75) = 0.288 within 1e-12
//! near now(2.25) = 2 within 0
//! near now(2.75) = 1 within 0
model Discretised
  block A
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end A;
  block B
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end B;
  model Both
    parameter String method;
    A a;
    B b;
    Integer n(start = -1);
  equation
    when Clock(Clock(1, 2), method) then
      n = previous(n) + 1;
    end when;
    initialState(a);
    transition(a, b, n == 3 or n == 8);
    transition(b, a, n == 5, reset = false);
    transition(b, a, n == 10, priority = 2);
  end Both;
  Both ie(method = "ImplicitEuler"), ee(method = "ExplicitEuler"), it(method = "ImplicitTrapezoid");
  Integer now = if activeState(ie.a) then 1 else 2;
end Discretised;
