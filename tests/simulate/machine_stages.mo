// Solver methods of several stages in states. State a is active at the ticks 0, 1, 2, then b at 3 and 4, then a again,
// without reset at tick 5 and with reset at tick 10. With z = 0.5 one step of der(x) = -x multiplies by
// 1 - z + z^2/2 (midpoint) and 1 - z + z^2/2 - z^3/6 + z^4/24 (Runge-Kutta); the first one after a was entered has the
// derivative 0 of the tick before as its first stage: 1 - z and 0.65625.
//! command simulate {file} --output - --stop 6 --interval 0.25 --tolerance 1e-10
//! near mp.a.x(1.25) = 0.390625 within 1e-12
//! near mp.a.x(2.25) = 0.390625 within 1e-12
//! near mp.a.x(2.75) = 0.1953125 within 1e-12
//! near mp.a.x(3.25) = 0.1220703125 within 1e-12
//! near mp.b.x(1.25) = 0 within 0
//! near mp.b.x(2.25) = 1 within 1e-12
//! near mp.a.x(5.25) = 1 within 1e-12
//! near mp.a.x(5.75) = 0.625 within 1e-12
//! near rk.a.x(1.25) = 0.36817084418402773 within 1e-12
//! near rk.a.x(2.25) = 0.36817084418402773 within 1e-12
//! near rk.a.x(2.75) = 0.24161211649576821 within 1e-12
//! near rk.a.x(5.75) = 0.60677083333333337 within 1e-12
//! near ex.a.x(1.25) = 0.36787944117144233 within 1e-8
//! near ex.a.x(2.25) = 0.36787944117144233 within 1e-8
//! near ex.a.x(5.25) = 1 within 1e-12
//! near ex.a.x(5.75) = 0.60653065971263342 within 1e-8
model Stages
  block A
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end A;
  block B
    Real x(start = 0, fixed = true);
  equation
    der(x) = 2;
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
  Both mp(method = "ExplicitMidPoint2"), rk(method = "ExplicitRungeKutta4"), ex(method = "External");
end Stages;
