// Clocked equations are understood but have no code yet: the message says which operator and where.
//! command simulate {file} --output -
//! error G101 10:3
//! message no code for SAMPLE_CLOCKED in 'x = previous(x) + sample(u, Clock(0.1))'
//! warning D121 8:18
//! exit 1
model ClockedRefused
  Real u = time, x(start = 0, fixed = true);
equation
  x = previous(x) + sample(u, Clock(0.1));
end ClockedRefused;
