// A relation between time and a result of the same algorithm causes its event.
//! command simulate {file} --output - --intervals 40
//! near y(0.45) = 0 within 0
//! near y(0.55) = 1 within 0
model M
  discrete Real next(start=0, fixed=true);
  discrete Real y(start=0, fixed=true);
algorithm
  when time >= 0.25 then
    next := time + 0.25;
  elsewhen time >= next and next > 0.1 then
    y := 1;
  end when;
end M;
