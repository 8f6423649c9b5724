model Motor
  Real x;
end Moter;
//! error P103 3:5
