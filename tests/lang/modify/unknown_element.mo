model M
  model A
    parameter Real resistance = 1;
    Real x = resistance;
  end A;
  A a(resistence = 2);
end M;
//! command check {file}
//! error F130 6:7
//! message 'M.A' has no element 'resistence'; did you mean 'resistance'?
