// The first tick of a clock of a condition has no interval, so that no deadline can be missed.
//! command simulate {file} --output - --stop 0.05 --realtime --quiet
//! near n(0.05) = 1 within 0
//! check {rubato} simulate {file} --stop 0.05 --realtime --quiet --output a.csv --stats s.json; grep -q '"variable":"n","clock":null,[^}]*"misses":0' s.json
model RealtimeCondition
  Integer n(start = 0);
equation
  when Clock(time > 0.02) then
    n = previous(n) + 1;
  end when;
end RealtimeCondition;
