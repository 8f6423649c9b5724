// A parameter of that name with another value is an ordinary one: a damping, for example.
//! command simulate {file} --stop 1 --intervals 2 --tolerance 1e-8 --output -
//! near s.v(1) = -0.35650977684 within 1e-9
//! near x(1) = 0.36787944117 within 1e-7
model M
  model Source
    parameter Real THETA(unit = "1/s") = 0.5 "damping";
    Real v = exp(-time*THETA)*sin(2*3.141592653589793*time*1.1 + 3.141592653589793);
  end Source;
  Source s;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
