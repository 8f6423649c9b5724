model M "outer outputs of states are numbers, arrays and records of them"
  record R
    Real x;
  end R;
  inner R r[2];
  block S
    outer output R r[2]; //! error F213
  equation
    r[1].x = 1;
    r[2].x = 2;
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message only numbers, Booleans, enumerations and records of them can be merged
