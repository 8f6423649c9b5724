// Clocked partitions beside several rates, infinitely fast processes and events in one model; also on threads.
//! command simulate {file} --rates 2 --output - --stop 2.05 --interval 0.05 --tolerance 1e-8
//! same-as --threads 2
//! stat theta.states = 1
//! stat levels[1].steps > 0
//! near slow(2.05) = 1.8535268 within 1e-5
//! near fast(2.05) = -0.7148975 within 1e-5
//! near count(2.05) = 4 within 0
//! near held(2.05) = 2 within 1e-9
//! near rest(2.05) = 1 within 1e-6
//! near x(1.05) = 0.6144567105704682 within 1e-9
//! near y(2.05) = 1.0557311726 within 1e-5
model ClockBeside
  Real fast(start = 0, fixed = true), turns(start = 1, fixed = true), slow(start = 0, fixed = true), rest(start = 3), held;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer count(start = 0, fixed = true), seconds(start = 0);
equation
  der(fast) = 100*turns;
  der(turns) = -100*fast;
  der(slow) = 1 - slow/10;
  Rubato.THETA*der(rest) = 1 - rest;
  when sample(0.25, 0.5) then
    count = pre(count) + 1;
  end when;
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(x) = sample(rest) - x;
  end when;
  when Clock(Clock(1, 4), "ExplicitMidPoint2") then
    der(y) = sample(slow) - y;
  end when;
  when Clock(2, 1) then
    seconds = previous(seconds) + (if firstTick() then 0 else 1);
  end when;
  held = 2*hold(seconds);
end ClockBeside;
