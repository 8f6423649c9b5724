model M "outer outputs of states are numbers, Booleans, enumerations and records of them"
  inner String s;
  block S
    outer output String s; //! error F213
  equation
    s = "b";
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message only numbers, Booleans, enumerations and records of them can be merged
