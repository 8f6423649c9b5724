model M "and only one"
  block S
  end S;
  S a, b, c;
equation
  initialState(a);
  transition(a, b, true);
  transition(b, c, true);
  initialState(c); //! error F206
end M;
//! command check {file}
//! message 'a' and 'c' are both initial states of one state machine
