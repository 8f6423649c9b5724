model M
  model A
    Real x = 1;
  end A;
  A a, b;
equation
  initialState(a);
  transition(a, b, true);
end M;
//! command check {file}
//! error F901 7:3
//! error F901 8:3
