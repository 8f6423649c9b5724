//! command check {file}
model M
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then
    reinit(x, "zero"); //! error T150
  end when;
end M;
