model M "what the initial state does not determine needs a start value"
  inner Integer v; //! warning F212
  block A
  end A;
  block B
    outer output Integer v;
  equation
    v = 1;
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, sample(true, Clock(1)), immediate = false);
end M;
//! command check {file}
//! message 'v' needs a start value: the initial state does not determine it
