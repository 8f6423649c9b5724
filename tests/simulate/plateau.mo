// A start value far out on a plateau: only the motion in pseudo time leads back from there.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near u(0) = -24.758593878 within 1e-6
//! near u(1) = -24.758593878 within 1e-6
model Plateau
  Real u(start = -93);
equation
  tanh(u/5) = -0.9999;
end Plateau;
