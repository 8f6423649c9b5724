// Delay times below 0, or above the maximum that is given, are errors (Modelica 3.6, 3.7.4.1); the values were wrong before.
//! command simulate {file} --model Below --output - --stop 1
//! error R115 10:8
//! exit 3
//! message a delay time is negative
//! check {rubato} simulate {file} --model Above --stop 3 --output m.csv > m.txt 2>&1; test $? = 3 && grep -q "error R115: the simulation failed at time 2: a delay time is above the maximum" m.txt || { cat m.txt; exit 1; }
//! check {rubato} simulate {file} --model Parameter --output m.csv > m.txt 2>&1; test $? = 3 && grep -q "error R115: the simulation failed at time 0: a delay time is negative" m.txt || { cat m.txt; exit 1; }
//! check {rubato} simulate {file} --model Parameter --set T=0.1 --output m.csv --quiet
model Below
  Real u = sin(time), d = 0.1 - time;
  Real y = delay(u, d, 0.5);
end Below;
model Above
  Real u = sin(time), d = if time < 2 then 0.1 else 1.5;
  Real y = delay(u, d, 0.5);
end Above;
model Parameter
  parameter Real T = -0.1;
  Real u = sin(time);
  Real y = delay(u, T);
end Parameter;
