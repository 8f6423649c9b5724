model M
  Real a[2, 2] = [1 2; 3, 4];
  Real b[2, 2] = [1, 2; 3 4];
  Real c = 1 1;
end M;
//! error P105 2:21
//! error P105 3:27
//! error P101 4:14
