model M "all parts of a machine have one clock"
  block S
    parameter Integer k;
    Real x = sample(time, Clock(1, k));
  end S;
  S a(k = 10), b(k = 20);
equation
  initialState(a);
  transition(a, b, true);
end M;
//! command check {file}
//! error D131 4:27
