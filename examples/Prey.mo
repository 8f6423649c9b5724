// Hares and lynxes: neither can live without the other, and both go up and down.
// Look at hares and lynxes; `rubato fit` finds the four rates out of counts of both.
model Prey "Predators and their prey"
  parameter Real birth = 0.55 "of hares";
  parameter Real catch = 0.028 "of hares by lynxes";
  parameter Real gain = 0.024 "of lynxes by hares";
  parameter Real death = 0.8 "of lynxes";
  Real hares(start = 30, fixed = true);
  Real lynxes(start = 4, fixed = true);
equation
  der(hares) = birth*hares - catch*hares*lynxes;
  der(lynxes) = gain*hares*lynxes - death*lynxes;
  annotation (experiment(StopTime = 20, Tolerance = 1e-8));
end Prey;
