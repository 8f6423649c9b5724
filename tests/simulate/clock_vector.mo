// Clocks in connectors and arrays, one for each element of an array of components.
//! command simulate {file} --output - --stop 1.05
//! near sampler[1].n(1.03) = 11 within 0
//! near sampler[2].n(1.03) = 6 within 0
//! near sampler[3].n(1.03) = 4 within 0
//! near sampler[3].y(0.95) = 0.9 within 1e-12
model ClockVector
  connector Tick = Clock;
  block Source
    parameter Integer count = 1;
    output Tick c = Clock(count, 10);
  end Source;
  block Sampler
    input Tick c;
    Real y;
    Integer n(start = 0);
  equation
    when c then
      y = sample(time);
      n = previous(n) + 1;
    end when;
  end Sampler;
  Source source[3](count = {1, 2, 3});
  Sampler sampler[3];
equation
  connect(source.c, sampler.c);
end ClockVector;
