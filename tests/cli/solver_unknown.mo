//! command simulate {file} --solver dopri
//! exit 2
//! message --solver is rk, cvode, ida or arkode, not 'dopri'
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
