// Every entry of a long table of times is an event.
//! command simulate {file} --output - --stop 200 --intervals 4
//! near steps(200) = 199 within 0
//! near last(200) = 199 within 0
model LongTable
  parameter Real table[200] = {1.0*k for k in 1:200};
  Integer steps(start = 0, fixed = true);
  Integer place;
  discrete Real last(start = 0, fixed = true);
algorithm
  place := 0;
  for k in 1:200 loop
    if time >= table[k] then
      place := k;
    end if;
  end for;
equation
  when change(place) then
    steps = pre(steps) + 1;
    last = time;
  end when;
end LongTable;
