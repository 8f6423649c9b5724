model M "transitions from one state have different priorities"
  block S
  end S;
  S a, b, c;
equation
  initialState(a);
  transition(a, b, true, priority = 2);
  transition(a, c, true);
  transition(b, c, true);
  transition(a, a, false, priority = 2); //! error F204
end M;
//! command check {file}
//! message two transitions from 'a' have the priority 2
//! message the other one is here
