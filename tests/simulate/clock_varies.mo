// The counter of a clock may change: it is read at every tick for the time of the next one.
// Ticks: 0, 0.1, 0.3, 0.6, 1.0.
//! command simulate {file} --output - --stop 1.2
//! near n(0.05) = 1 within 0
//! near n(0.2) = 2 within 0
//! near n(0.5) = 3 within 0
//! near n(0.99) = 4 within 0
//! near n(1.1) = 5 within 0
//! near h(1.1) = 0.4 within 1e-12
model ClockVaries
  Integer n(start = 0);
  Real h;
equation
  when Clock(n, 10) then
    n = previous(n) + 1;
    h = interval();
  end when;
end ClockVaries;
