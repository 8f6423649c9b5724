// A line from corner to corner in braille, with ticks at round numbers; 50 columns.
//! input {rubato} simulate {file} --output p.mat --intervals 20 --quiet
//! environment COLUMNS=50
//! command plot {tmp}/p.mat x
//! golden plot.txt
model P
  Real x(unit = "m") = time "a line";
  Real y(unit = "m") = -time "its negative";
  Real z(unit = "V") = if time < 0.5 then 1 else 3;
  parameter Real k = 2 "a constant";
end P;
