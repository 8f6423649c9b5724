// Parameters computed from one that an initial equation determines follow it, also through
// others and where they shape the motion.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near area(0) = 4 within 1e-9
//! near x(1) = 2.4261226388505337 within 1e-5
//! near y[2](1) = 8 within 1e-9
//! near z(0) = 5 within 1e-9
model ParameterChain
  parameter Real side(fixed = false, start = 1), area = side^2, rate = area/8;
  parameter Real twice[2] = {side, 2*area};
  Real x(start = 4, fixed = true), y[2] = twice, z(start = rate);
initial equation
  side^2 + side = 6;
  z = rate*10;
equation
  der(x) = -rate*x;
  der(z) = 0;
end ParameterChain;
