// A counter of zero would be a tick without end.
//! command simulate {file} --output - --stop 1
//! error R115 6:11
//! exit 3
model ClockVariesZero
  Integer n(start = 0);
equation
  when Clock(n, 10) then
    n = previous(n);
  end when;
end ClockVariesZero;
