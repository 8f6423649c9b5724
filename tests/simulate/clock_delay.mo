// Delays and distributions inside of discretised partitions (16.8.1): values lie on lines between ticks. Delays longer and shorter than an
// interval, one that changes, one in a loop (late = its own past), one under subSample; before the start there is the start value.
//! command simulate {file} --output - --stop 2.25 --interval 0.05
//! near late(0.05) = 2 within 1e-12
//! near late(0.25) = 2 within 1e-12
//! near late(0.35) = 2.05 within 1e-12
//! near late(0.45) = 2.15 within 1e-12
//! near late(2.05) = 3.75 within 1e-12
//! near short(0.45) = 2.36 within 1e-12
//! near changing(1.05) = 2.5 within 1e-12
//! near changing(2.05) = 3 within 1e-12
//! near back(0.45) = 0 within 1e-12
//! near back(0.55) = 2.2 within 1e-12
//! near back(1.05) = 4.9 within 1e-12
//! near moved(0.05) = 7 within 1e-12
//! near moved(0.55) = 4.5 within 1e-9
//! near moved(1.05) = 2 within 1e-9
//! near moved(1.15) = 2.1 within 1e-9
//! near moved(1.55) = 2.5 within 1e-9
//! near entered(1.55) = 3.5 within 1e-12
//! near slow(1.05) = 2.4 within 1e-12
model ClockDelay
  Clock c = Clock(Clock(1, 10), "ExplicitEuler");
  Real x(start = 2, fixed = true), late, short, changing, back, moved, entered, slow;
  Real t(start = 0, fixed = true);
equation
  when c then
    der(x) = 1;
    der(t) = 1;
    late = delay(x, 0.25);
    short = delay(x, 0.04);
    changing = delay(x, t/2, 5);
    back = (if t > 0.45 then x - 0.3 else 0) + (if t > 0.95 then delay(back, 0.5) else 0);
    (entered, moved) = spatialDistribution(x, 0, t, true, {0, 1}, {2, 7});
  end when;
  slow = delay(subSample(x, 2), 0.6);
end ClockDelay;
