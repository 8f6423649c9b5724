model Motor
  Real x;
end;
//! error P103 3:4
