//! command simulate {file} --set a=0 --output -
//! error R103 6:25
//! message the value is not finite, in 'p[2]'
//! exit 3
model NotFinite
  parameter Real a = 1, p[2] = {1, 1/a};
  Real x = time;
end NotFinite;
