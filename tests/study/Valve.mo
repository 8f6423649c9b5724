model Valve "Outputs and rates that depend on inputs in curved ways, through a loop"
  input Real u(start = 0.7), w(start = 2);
  output Real y = sqrt(u)*x^2, q(start = 1);
  Real x(start = 1.5, fixed = true), z = 2*x;
equation
  q + q^3 = exp(x*w);
  der(x) = sin(u*z) - q;
end Valve;
