// What a killed run leaves behind can be read: whole lines, and a MAT file with its points.
//! command simulate {file} --stop 1 --quiet --output {tmp}/short.mat
//! check timeout -s KILL 3 {rubato} simulate {file} --stop 1e7 --interval 0.1 --output killed.csv; {rubato} compare killed.csv killed.csv --quiet
//! check timeout -s KILL 3 {rubato} simulate {file} --stop 1e7 --interval 0.1 --output killed.mat; {rubato} compare killed.mat killed.mat --quiet
model Long
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Long;
