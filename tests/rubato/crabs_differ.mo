// Parameters and start values that differ from one instance to the next, and what is computed from
// them; the rest of the model is a family of its own. The same numbers as without --components.
//! command simulate {file} --model Fleet --components --instances 1,2,3 --interval 1e-3 --fixed-step 1e-3 --output -
//! near crab[1].revolute.phi(1) = -1.7929650153 within 1e-10
//! near crab[2].prismatic.s(1) = -0.46265176881 within 1e-10
//! near crab[3].prismatic.s(1) = 0.15417524706 within 1e-10
//! near crab[3].body2.m(1) = 2 within 0
//! near x(1) = 0.36787944117 within 1e-9
model Crab
  extends Rubato.Planar.Examples.CraneCrab(body2(m = mass), body1(m = total - mass));
  parameter Real mass = 0.5;
  parameter Real total = 1.5;
end Crab;
model Fleet
  Crab crab[3](mass = {0.5, 0.5, 2}, total = {1.5, 1.5, 3}, revolute(phi(start = {0, 3, 0})));
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  annotation(experiment(StopTime = 1));
end Fleet;
