// The method External is any integrator: here two steps of the explicit midpoint method in each
// interval, so that x is multiplied by (1 - h + h^2/2)^2 with h = 0.05.
//! command simulate {file} --method midpoint --fixed-step 0.05 --stop 0.35 --interval 0.05 --output -
//! near x(0.35) = 0.7409143711707629 within 1e-13
model ClockExternal
  Real x(start = 1, fixed = true);
equation
  when Clock(Clock(1, 10), "External") then
    der(x) = -x;
  end when;
end ClockExternal;
