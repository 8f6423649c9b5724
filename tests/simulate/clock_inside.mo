// Points inside a step are nobody else's business: y is computed before the step, because the input u of the
// step depends on it, and must not become that of the middle of the step.
//! command simulate {file} --stop 0.35 --interval 0.05 --output -
//! near y(0.35) = 0.6 within 1e-14
//! near z(0.35) = 0.3 within 1e-14
//! near x(0.35) = 0.135 within 1e-14
model ClockInside
  Real x(start = 0, fixed = true), y, z, u;
equation
  when Clock(Clock(1, 10), "ExplicitMidPoint2") then
    der(x) = y + u;
    y = 2*time;
    u = superSample(z, 1);
  end when;
  z = 0.5*subSample(y, 1);
end ClockInside;
