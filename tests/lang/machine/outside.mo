model M "ticksInState and timeInState belong to states"
  block S
  end S;
  S a;
  Integer n = ticksInState(); //! error F208
  Real t = timeInState(); //! error F208
equation
  initialState(a);
end M;
//! command check {file}
//! message 'ticksInState' stands neither in a state nor in the condition of a transition
