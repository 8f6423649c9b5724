//! command check {file}
//! message 'reinit' is allowed only in a when-equation, not in an algorithm
model M
  Real x(start = 1);
equation
  der(x) = -1;
algorithm
  when x < 0 then
    reinit(x, 1); //! error T153
  end when;
end M;
