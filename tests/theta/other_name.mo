// Another name by annotation, given to a component from above.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near c.a(1) = 0.36787944117144233 within 1e-5
//! stat states = 1
//! stat theta.states = 1
model M
  model C
    parameter Real eps;
    Real a(start = 3), u;
  equation
    eps*der(a) = u - a;
  end C;
  parameter Real tiny = 1 annotation(__Rubato_theta = true);
  C c(eps = 1e-3*tiny, u = x);
  Real x(start = 1, fixed = true);
equation
  der(x) = -c.a;
end M;
