// A pendulum without its constraint: which unknowns are left over.
//! command simulate {file} --output -
//! error F170 8:7
//! exit 1
//! message 'Pendulum' has 4 equations for 5 unknowns: 1 equation is missing
//! message not determined: x, y, f
//! message der(vx) = f*x
model Pendulum
  Real x(start=0.8), y(start=-0.6), vx, vy, f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = f*x;
  der(vy) = f*y - 9.81;
end Pendulum;
