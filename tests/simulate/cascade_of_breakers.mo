// A ladder of breakers that open one after the other at one instant, a round each: more rounds than any
// fixed number are no sign that the event iteration does not settle.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near left(0) = 150 within 0
//! near left(1) = 0 within 0
model Cascade
  parameter Integer n = 150;
  discrete Boolean open[n](each start = false, each fixed = true);
  Real load[n] "of each breaker: grows with those that have opened before";
  Integer left;
equation
  load[1] = 2*time;
  for i in 2:n loop
    load[i] = 0.5*time + (if pre(open[i - 1]) then 1 else 0);
  end for;
  for i in 1:n loop
    when load[i] > 1 then
      open[i] = true;
    end when;
  end for;
  left = sum(if open[i] then 0 else 1 for i in 1:n);
end Cascade;
