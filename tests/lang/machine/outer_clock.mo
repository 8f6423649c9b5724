model M "outer outputs of states are values, no clocks"
  inner Clock c = Clock(1, 10);
  block S
    outer output Clock c; //! error F213
  equation
    c = Clock(1, 20);
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message no number, Boolean, String, enumeration or record of them
