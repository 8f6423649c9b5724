// Numbers of the experiment are constant expressions.
//! command simulate {file} --output -
//! near x(20) = 20 within 1e-9
//! check {rubato} simulate {file} --output r.csv --quiet; test "$(wc -l < r.csv)" -eq 12
model ExperimentExpression
  constant Real minutes = 10;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation(experiment(StopTime = 2*minutes, StartTime = 1 - 1, Interval = 20/10, Tolerance = 1e-3*0.1));
end ExperimentExpression;
