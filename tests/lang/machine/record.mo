model M "outer outputs of states are scalars and arrays"
  record R
    Real x;
  end R;
  inner R r;
  block S
    outer output R r; //! error F213
  equation
    r.x = 1;
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message 'r' is an outer output of a state: only numbers, Booleans and enumerations can be merged
