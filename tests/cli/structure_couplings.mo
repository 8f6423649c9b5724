// Partitions of clocks with their intervals and methods, and the values that lead from one to another.
//! command structure {file}
//! output base clock 1 ticks every 1/10 s
//! output partition 1: every tick, ImplicitEuler, 3 variables: x, ...
//! output partition 2: every 3 ticks from tick 1, 3 variables: y, ...
//! output couplings of partitions
//! output   continuous -> 1.1 by sample, 1 value: v
//! output   1.1 -> 1.4 by shiftSample 1, 1 value: x\n  1.4 -> 1.2 by subSample 3, 1 value
//! output   1.1 -> continuous by hold, 1 value: x
model M
  Real v(start = 0, fixed = true), x(start = 1, fixed = true), y, z;
equation
  der(v) = hold(x);
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = sample(v) - x;
  end when;
  y = subSample(shiftSample(x, 1), 3);
  z = 2*y;
end M;
