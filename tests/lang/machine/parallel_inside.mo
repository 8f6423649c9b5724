model M "a state and one inside of it"
  inner Integer v(start = 0);
  block S
    outer output Integer v; //! error F209
  equation
    v = previous(v) + 1;
  end S;
  block Outer
    outer output Integer v;
    S s;
  equation
    v = 2;
    initialState(s);
  end Outer;
  Outer a;
equation
  initialState(a);
end M;
//! command check {file}
//! message which can be active at the same tick
