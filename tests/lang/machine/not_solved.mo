model M "equations of states determine variables of the state"
  inner Real v;
  block S
    outer Real v;
  equation
    v + 1 = 3; //! error F210
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message determines none of its variables
