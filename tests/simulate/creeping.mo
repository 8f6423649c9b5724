// A relation that switches every few microseconds while nothing else moves: chattering, although
// time creeps. The carrier beside it switches thousands of times, and is none.
//! command simulate {file} --model M --stop 10 --output {tmp}/r.csv
//! error R104 14:3
//! exit 3
//! message the simulation failed at time 1.00
//! message events follow each other without end
//! check {rubato} simulate {file} --model Carrier --stop 1 --interval 0.1 --output c.csv --stats s.json --quiet && python3 -c "import json; assert json.load(open('s.json'))['events_state'] > 2000"
model M "hysteresis below the tolerance"
  Real x(start = 1, fixed = true);
  discrete Real u(start = -1, fixed = true);
equation
  der(x) = u;
  when x < 0 then
    u = 1;
  elsewhen x > 1e-6 then
    u = -1;
  end when;
end M;
model Carrier "on something slow: no other state moves by more than its tolerance"
  Real x(start = 0.5, fixed = true), phase(start = 0, fixed = true);
  Boolean on;
equation
  der(phase) = 2*3.14159265358979*10000;
  on = sin(phase) > 0;
  der(x) = ((if on then 1 else 0) - x)/1e4;
end Carrier;
