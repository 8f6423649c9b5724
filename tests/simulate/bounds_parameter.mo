// A parameter outside of its bounds is an error before anything is solved, also if it is computed or
// set from outside; elements of arrays and Integers, too.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! error R114 9:18
//! message the simulation failed at time 0: 'r' is -4, below its min of 0
//! check {rubato} simulate {file} --model M --set p=1 --set "n[2]=7" --output {tmp}/m.csv 2>&1 | grep -q "10:21: error R114: .*'n\[2\]' is 7, above its max of 3"
model M parameter Real p = -4;
  parameter Real r(min = 0) = p;
  parameter Integer n[2](each max = 3) = {1, 2};
  Real x = p*time;
end M;
