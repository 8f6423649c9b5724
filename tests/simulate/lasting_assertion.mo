// Assertions about parameters and discrete variables are looked at at events: between them the values of a model without
// states are needed at its output points alone. One that varies is looked at there as well, and ends the run.
//! command simulate {file} M --no-cache --stop 1 --intervals 4 --output -
//! near y(1) = 7 within 1e-12
//! stat rhs_rows < 60
//! check ! {rubato} simulate {file} Discrete --no-cache --stop 1 --output r.csv --quiet 2> out && grep -q "at time 0.5: k became 3" out
//! check {rubato} simulate {file} Varies --no-cache --stop 0.5 --intervals 4 --output r.csv --quiet --stats - > out && test $(grep -o "rhs_rows.:[0-9]*" out | cut -d: -f2) -lt 60
//! check ! {rubato} simulate {file} Varies --no-cache --stop 1 --output r.csv --quiet 2> out && grep -q "at time 0.75: y above 6.5" out
model M
  parameter Real r = 2;
  Real conductance = 1/r, y, z;
equation
  assert(conductance > 0.1, "no conductance");
  y + z = 5 + 4*time;
  y - z = 5;
end M;
model Discrete
  extends M;
  Integer k(start = 1, fixed = true);
equation
  when sample(0.25, 0.25) then
    k = pre(k) + 1;
  end when;
  assert(k < 3, "k became 3");
end Discrete;
model Varies
  extends M;
equation
  assert(y < 6.5, "y above 6.5");
end Varies;
