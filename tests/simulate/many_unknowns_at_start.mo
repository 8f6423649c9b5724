// A system of many unknowns at the start and in the run: its pattern is found for both.
//! command simulate {file} --output - --stop 1
//! near x[1](1) = 0.19589158656 within 1e-9
//! near x[45](1) = 0.19589158656 within 1e-9
model ManyUnknownsAtStart
  constant Integer n = 45;
  Real x[n](each start = 0.1);
  Real y(start = 0, fixed = true);
equation
  der(y) = x[1];
  for i in 1:n loop
    10*x[i] + 0.1*x[i]^3 + x[if i > 1 then i - 1 else n]*x[if i < n then i + 1 else 1] +
      0.01*(if i > 2 then x[i - 2] else x[n]) = 1 + time;
  end for;
end ManyUnknownsAtStart;
