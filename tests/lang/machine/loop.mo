model M "an immediate transition cannot depend on what its own state computes"
  inner Integer v(start = 0);
  block S
    outer output Integer v;
    parameter Integer k;
  equation
    v = previous(v) + k;
  end S;
  S a(k = 1), b(k = 2);
equation
  initialState(a);
  transition(a, b, v > 5); //! error D142
  when Clock(1) then
    assert(v < 100, "too large");
  end when;
end M;
//! command check {file}
//! message depend on it: b.v, b.$active, v, a.$active, a.v
