model M "what when-clauses in states cannot contain"
  function f
    input Real u;
    output Real a;
    output Real b;
  algorithm
    a := u;
    b := 2*u;
  end f;
  block S
    Real x(start = 0, fixed = true), a(start = 0), b(start = 0);
  equation
    der(x) = 1;
    when x > 1 then
      (a, b) = f(x); //! error F213
    end when;
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message a state cannot contain a when-clause with anything but equations of its variables
