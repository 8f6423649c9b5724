model M
  Real x = 1;
equation
  when x > 2 then
    terminate(3);
  end when;
end M;
//! command check {file}
//! error T150 5:15
