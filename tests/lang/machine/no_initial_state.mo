model M "every machine has an initial state"
  block S
  end S;
  S a, b, c, d;
equation
  initialState(a);
  transition(a, b, true);
  transition(c, d, true); //! error F205
end M;
//! command check {file}
//! message no initialState is given for the state machine of 'c'
