// A state is held at a kink of the model, as a tank that boils: above it a fast process takes away what heats it. A
// Jacobian of the stiff side says that every correction is small and every error, too, wherever the state is: results
// were wrong by factors. Explicit methods met the kink in one stage that their estimate hardly sees.
//! command simulate {file} --intervals 500 --output -
//! near h(300) = 418983.67 within 2
//! near h(600) = 418983.67 within 2
//! check for m in auto tsit5 dopri5 verner7 rodas5p radauIIA2 radauIIA3 radauIIA5 lobattoIIIC3 esdirk4 sdirk4; do for k in 1e3 1e4; do {rubato} simulate {file} --method $m --set k=$k --tolerance 1e-4 --quiet --output r.csv || exit 1; python3 -c "import csv;e=max(abs(float(q['h'])-418983.67)/418983.67 for q in csv.DictReader(open('r.csv')) if float(q['time'])>10);assert e<50e-4,('$m','$k',e/1e-4)" || exit 1; done; done
model kink_held
  Real h(start = 418000, fixed = true, nominal = 4e5) "heated";
  Real m(start = 100, fixed = true);
  parameter Real k = 1e4;
equation
  der(h) = 1e5/m - k*(1 + 1e-3*m)*noEvent(max(h - 418983.67, 0));
  der(m) = -0.05;
  annotation(experiment(StopTime = 600));
end kink_held;
//! long
