// Infinitely fast processes inside of clocked partitions, beside one in the continuous part: z is at rest at
// every tick, and at the stages of a step.
//   der(x) = -x + z with THETA*der(z) = u - z, u = 1, is der(x) = -x + 1: the table of solver methods.
//! command simulate {file} --output - --stop 2.1 --interval 0.05
//! stat theta.states = 8
//! near ee.z(0.05) = 1 within 1e-12
//! near ee.x(2.05) = 0.9375 within 1e-10
//! near mp.x(2.05) = 0.847412109375 within 1e-10
//! near rk.x(2.05) = 0.8644502295 within 1e-9
//! near ie.x(0.55) = 0.3333333333333333 within 1e-10
//! near ie.x(2.05) = 0.8024691358024691 within 1e-10
//! near it.x(2.05) = 0.8704 within 1e-10
//! near ex.x(2.05) = 0.8646647167633873 within 1e-5
//! near jump(0.45) = -1.3247179572447460 within 1e-8
//! near jump(0.55) = 1.3247179572447460 within 1e-8
//! near y(2) = 0.5 within 1e-9
model Clocked
  model Lag
    parameter String method;
    Clock c = Clock(Clock(1, 2), method);
    Real x(start = 0, fixed = true), z(start = 3), u = sample(1.0, c);
  equation
    der(x) = -x + z;
    Rubato.THETA*der(z) = u - z;
  end Lag;
  Lag ee(method = "ExplicitEuler"), mp(method = "ExplicitMidPoint2");
  Lag rk(method = "ExplicitRungeKutta4"), ie(method = "ImplicitEuler");
  Lag it(method = "ImplicitTrapezoid"), ex(method = "External");
  Clock c = Clock(Clock(1, 2), "ImplicitEuler");
  Real pull = sample(if time < 0.25 then -1 else 1, c), jump(start = -1);
  Real y(start = 3);
equation
  Rubato.THETA*der(jump) = pull - jump*(jump^2 - 1) "two stable equilibria for small pulls";
  Rubato.THETA*der(y) = 0.5 - y;
end Clocked;
