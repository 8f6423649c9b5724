// Relations in the branches of when-clauses are evaluated at their events only. They are no events themselves: that of
// `time <= 0.5` was one again and again, 24 times within a nanosecond, because its value stays as it is between ticks.
//! command simulate {file} --intervals 1 --output -
//! near early(3.5) = 0 within 0
//! near above(3.5) = 2 within 0
//! near x(3.5) = 3.5 within 1e-9
//! stat events_time = 3
//! stat events_state = 0
model when_branch_relation
  discrete Boolean early(start = false, fixed = true);
  discrete Integer above(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(0, 1) then
    early = time <= 0.5;
    above = if x > 1.5 then pre(above) + 1 else pre(above);
  end when;
  der(x) = 1;
  annotation(experiment(StopTime = 3.5));
end when_branch_relation;
