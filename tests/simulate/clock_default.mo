// Without any interval a partition ticks every second, with a warning.
//! command simulate {file} --output - --stop 3
//! warning D137
//! near x(2.5) = 3 within 0
model ClockDefault
  Real x(start = 0);
equation
  when Clock() then
    x = previous(x) + 1;
  end when;
end ClockDefault;
