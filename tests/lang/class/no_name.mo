model
  Real x;
end;
//! error P101 1:6
