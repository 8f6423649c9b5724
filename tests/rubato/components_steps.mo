// Without --fixed-step families are integrated with control of errors, however far apart the points of the
// result are: with as many steps as points x[4] would be 0.11 at the end.
//! command simulate {file} --components --intervals 2 --instances 1,4 --output -
//! near part[1].x(0.5) = 0.606530659713 within 1e-6
//! near part[1].x(1) = 0.367879441171 within 1e-6
//! near part[4].x(0.5) = 0.135335283237 within 1e-6
//! near part[4].x(1) = 0.018315638889 within 1e-6
model ComponentsSteps
  model Part
    parameter Real k = 1;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*x;
  end Part;
  Part part[4](k = {i for i in 1:4});
end ComponentsSteps;
