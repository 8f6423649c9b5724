model M "when-clauses in states determine variables of the state"
  inner Real v(start = 0);
  block S
    outer Real v;
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    when x > 1 then
      v = 3; //! error F213
    end when;
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message a state cannot contain a when-clause with anything but equations of its variables
