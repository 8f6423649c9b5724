model M
  Real x, y;
equation
  when time > 1 then
    x = 1;

end M;
//! error P104 7:1
