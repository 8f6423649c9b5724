model M
  Real x;
equation
  when Clock(0.1) then
    x = 1;
  elsewhen Clock(0.2) then
    x = 2;
  end when;
end M;
//! command check {file}
//! error T194 6:3
//! message a clocked when-clause has no elsewhen
