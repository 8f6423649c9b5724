model M "transitions are equations"
  block S
  end S;
  S a, b;
equation
  initialState(a);
algorithm
  transition(a, b, true); //! error F200
initial equation
  initialState(a); //! error F200
end M;
//! command check {file}
//! message 'transition' stands in equation sections only
