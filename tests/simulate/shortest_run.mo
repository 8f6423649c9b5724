// A run that is shorter than any step can be ends without one; it ended with a crash.
//! command simulate {file} --start 1e9 --stop 1000000000.0000002 --output -
//! near x(1000000000.0000002) = 1 within 1e-6
//! stat steps_accepted = 0
//! stat points = 2
//! check for c in '--stop 1e-320' '--stop 1e-308 --rates auto' '--stop 1e-320 --solver cvode' '--stop 1e-320 --method radauIIA3' '--start 1 --stop 1.0000000000000002'; do {rubato} simulate {file} $c --quiet --output r.csv || exit 1; tail -1 r.csv | grep -q ',1$' || exit 1; done
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
