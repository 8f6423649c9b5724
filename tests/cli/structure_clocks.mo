// The structure of a clocked model: partitions, intervals, methods, then the equations of each.
//! command structure {file}
//! output base clock 1 ticks every 1/20 s
//! output partition 1: every tick, ImplicitEuler
//! output every 2 ticks from tick 2
//! output y := y = shiftSample
model StructureClocks
  Real x(start = 1, fixed = true), y;
equation
  when Clock(Clock(1, 20), "ImplicitEuler") then
    der(x) = -x;
  end when;
  y = shiftSample(subSample(x, 2), 1);
end StructureClocks;
