model M "all states of a machine lie in one state"
  block S
  end S;
  block Outer
    S s;
  end Outer;
  Outer a;
  S b;
equation
  initialState(a);
  transition(a, b, true);
  transition(b, a.s, true); //! error F211
end M;
//! command check {file}
//! message 'a' and 'a.s' are states of one machine, but lie in different states
