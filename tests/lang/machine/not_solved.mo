model M "equations of states tell what they determine"
  block S
    Integer i(start = 0);
  equation
    2*i = 4; //! error F210
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
