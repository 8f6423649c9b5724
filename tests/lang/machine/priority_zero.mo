model M "priorities begin with one"
  block S
  end S;
  S a, b;
equation
  initialState(a);
  transition(a, b, true, priority = 0); //! error F203
end M;
//! command check {file}
//! message the priority of a transition is at least 1, this is 0
