//! command check {file}
model M
  Real x = 1;
equation
  when time > 1 then
    terminate(1); //! error T150
  end when;
end M;
