// Steady state from an initial equation, and a parameter that is computed from it.
//! command simulate {file} --output - --intervals 10
//! near x(1) = 4 within 1e-8
//! near p(1) = 8 within 1e-8
model M
  parameter Real p(fixed=false);
  Real x(start=4, fixed=true);
initial equation
  der(x) = 0;
equation
  der(x) = p - 2*x;
end M;
