model M "activeState of a block that is no state"
  block S
  end S;
  S a, b;
  Boolean on = activeState(b); //! error F207
equation
  initialState(a);
end M;
//! command check {file}
//! message 'b' is not a state: no transition or initialState names it
