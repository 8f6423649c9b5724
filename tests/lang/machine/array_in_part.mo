model M "all elements of an array of blocks are states, or none"
  block S
  end S;
  S s[3];
equation
  initialState(s[1]);
  transition(s[1], s[2], true); //! error F201
end M;
//! command check {file}
//! message 2 of the 3 elements of 's' are states: all must be, or none
