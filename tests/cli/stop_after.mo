// Passes after the one named do not run, and nothing is simulated.
//! command simulate {file} --stop-after flatten --dump flatten --stages
//! output der(x) = -x
//! message stage: flatten ok
//! check test ! -e M_res.mat
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
