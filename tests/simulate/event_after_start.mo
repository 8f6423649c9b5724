// `time > 0` changes at the first number after the start: no step is short enough to go there.
//! command simulate {file} --method rodas5p --output -
//! near x(1) = 1 within 1e-12
//! near n(1) = 1 within 0
//! check for c in '' '--solver cvode' '--method radauIIA3' '--rates auto' '--start -1 --stop 1'; do {rubato} simulate {file} $c --quiet --output r.csv || exit 1; tail -1 r.csv | grep -qE '^1,(1|1.0000000000000002|0.9999999999999999),1$' || { tail -1 r.csv; exit 1; }; done
model event_after_start
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = if time > 0 then 1 else 0;
  when time > 0 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end event_after_start;
