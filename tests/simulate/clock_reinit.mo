// reinit in partitions of all solver methods: at the tick x has the given value, all else follows from it, and the next step begins
// there. x' = 1 - x with steps of 0.1 s, x = -1 at 0.5 s.
//! command simulate {file} --output - --stop 0.75 --interval 0.05 --tolerance 1e-10
//! near ee.x(0.45) = 0.3439 within 1e-12
//! near ee.x(0.55) = -1 within 0
//! near ee.f(0.55) = 2 within 0
//! near ee.x(0.65) = -0.8 within 1e-12
//! near ee.minus(0.65) = 0.8 within 1e-12
//! near si.x(0.65) = -0.8 within 1e-12
//! near ie.x(0.55) = -1 within 0
//! near ie.x(0.65) = -0.8181818181818182 within 1e-12
//! near it.x(0.65) = -0.8095238095238095 within 1e-12
//! near mp.x(0.55) = -1 within 0
//! near mp.x(0.65) = -0.81 within 1e-12
//! near rk.x(0.65) = -0.809675 within 1e-12
//! near rk.x(0.75) = -0.6374618028125 within 1e-12
//! near ex.x(0.65) = -0.8096748360719191 within 1e-9
model ClockReinit
  model One
    parameter String method;
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), f, minus = -x;
  equation
    when Clock(Clock(1, 10), method) then
      der(x) = f;
      f = 1 - x;
      der(y) = 1;
    end when;
    when y > 0.45 then
      reinit(x, -1);
    end when;
  end One;
  One ee(method = "ExplicitEuler"), ie(method = "ImplicitEuler"), it(method = "ImplicitTrapezoid");
  One mp(method = "ExplicitMidPoint2"), rk(method = "ExplicitRungeKutta4"), ex(method = "External");
  One si(method = "SemiImplicitEuler");
end ClockReinit;
