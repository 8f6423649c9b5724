model M
  discrete Real d, e;
equation
  when time > 1 then
    d = 1;
  elsewhen time > 2 then
    e = 2;
  end when;
end M;
//! command check {file}
//! error T192 6:3
//! message 'd'
