// Events by cone that follow each other without end are told as such.
//! command simulate {file} --rates 2 --output -
//! error R104 10:3
//! exit 3
//! message at time 0.1: events follow
//! message a relation switches back and forth
model rates_events_chatter
  Real x[6](start = {0.1, 1, 1, 1, 1, 1}, each fixed = true);
equation
  der(x[1]) = if x[1] > 0 then -1 else 1;
  for i in 2:6 loop
    der(x[i]) = -0.1*x[i];
  end for;
end rates_events_chatter;
