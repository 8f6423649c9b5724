// What a killed run leaves behind can be read: whole lines, and a MAT file with its points.
//! command simulate {file} --stop 1 --quiet --output {tmp}/short.mat
//! check {rubato} simulate {file} --stop 1e7 --interval 0.1 --output killed.csv & p=$!; n=0; while [ $n -lt 100000 ]; do sleep 0.05; n=$(cat killed.csv 2> /dev/null | wc -c); done; sleep 1; kill -KILL $p; wait $p; {rubato} compare killed.csv killed.csv --quiet
//! check {rubato} simulate {file} --stop 1e7 --interval 0.1 --output killed.mat & p=$!; n=0; while [ $n -lt 100000 ]; do sleep 0.05; n=$(cat killed.mat 2> /dev/null | wc -c); done; sleep 1; kill -KILL $p; wait $p; {rubato} compare killed.mat killed.mat --quiet
model Long
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Long;
//! long
