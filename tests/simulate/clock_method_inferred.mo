// A partition with derivatives and without a solver method of its own has that of its neighbours under subSample and its like,
// also through others (16.8.4): implicit Euler steps of x, y with twice and z with four times the interval.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! near x(0.15) = 0.9090909090909091 within 1e-12
//! near x(0.25) = 0.8264462809917355 within 1e-12
//! near y(0.25) = 0.9132231404958677 within 1e-12
//! near z(0.45) = 0.4231805009415778 within 1e-12
model ClockMethodInferred
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 0, fixed = true);
  Real middle = subSample(y, 2);
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = -x;
  end when;
  der(y) = (subSample(x, 2) - y)/0.2;
  der(z) = middle + subSample(x, 4) - z;
end ClockMethodInferred;
