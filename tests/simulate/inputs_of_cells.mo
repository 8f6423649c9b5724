// SPDX-License-Identifier: Apache-2.0
// One speed drives all cells, each by a factor of its own: what moves is looked for in the speed, once, not
// in every cell (80 cells took 3607 evaluations then, 647 now). x[1] = 1 - exp(-U/length[1]) with the integral U
// of the speed, 4 + 0.1*sqrt(pi).
//! command simulate {file} --output -
//! near x[1](4) = 0.984011515264608 within 2e-5
//! stat rhs_calls < 1000
model InputsOfCells
  parameter Integer n = 80;
  parameter Real length[n] = {1 + 0.01*i for i in 1:n};
  Real u = 1 + 50*exp(-((time - 2.03)/0.002)^2);
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = u/length[1]*(1 - x[1]);
  for i in 2:n loop
    der(x[i]) = u/length[i]*(x[i - 1] - x[i]);
  end for;
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end InputsOfCells;
