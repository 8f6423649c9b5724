model M "branches of a choice hold as many equations"
  block S
    Real x(start = 0), y(start = 0);
  equation
    if x > 1 then //! error F210
      x + y = 3;
      x - y = 2;
    else
      x + y = 1;
    end if;
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
