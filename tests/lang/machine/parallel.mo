model M "parallel machines determine one variable"
  inner Integer v(start = 0);
  block S
    outer output Integer v; //! error F209
  equation
    v = previous(v) + 1;
  end S;
  S a, b, c;
equation
  initialState(a);
  transition(a, b, true);
  initialState(c);
end M;
//! command check {file}
//! message 'v' is determined in 'a' and 'c', which can be active at the same tick
