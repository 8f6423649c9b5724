model M "states are blocks, one at a time"
  model A
  end A;
  block S
  end S;
  A a;
  S s, v[2];
  Real x = 1;
equation
  initialState(a); //! error F201
  transition(s, v, true); //! error F201
  transition(s, x, true); //! error F201
end M;
//! command check {file}
//! message a state is an instance of a block; this argument of 'initialState' is M.A
//! message this argument of 'transition' is an array
//! message this argument of 'transition' is Real
