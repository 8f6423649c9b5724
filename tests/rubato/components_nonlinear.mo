// Nor have nonlinear loops.
//! command simulate {file} --model M --components
//! error C103 10:3
//! message it is part of a nonlinear loop
model Part
  Real x(start = 1, fixed = true), y(start = 1), z(start = 1);
equation
  der(x) = y;
  y^3 + z^5 + exp(y*z) = x;
  y*z + exp(z) = x;
end Part;
model M
  Part part[10];
end M;
