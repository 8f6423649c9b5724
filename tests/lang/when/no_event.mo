// noEvent makes no event that could trigger a when-clause.
//! command check {file}
model M
  Real x(start = 0);
  Real y(start = 0);
equation
  when noEvent(time > 0.5) then //! error T112
    x = 2;
  end when;
  when time > noEvent(0.5*y) then
    y = 2;
  end when;
end M;
