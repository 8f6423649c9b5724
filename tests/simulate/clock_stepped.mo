// A step of several stages waits for the inputs that derivatives depend on. Others may depend on its states at the same tick: the
// partition hands x to a faster one, and takes a value of it that moves nothing.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! same-as --threads 2
//! near x(0.45) = 0.864450229 within 1e-8
//! near z(0.45) = 0.864450229 within 1e-8
//! near peak(0.45) = 1.728900458 within 1e-8
//! near sum(0.45) = 5.332226444 within 1e-8
model ClockStepped
  Clock fast = Clock(1, 20), slow = subSample(fast, 2);
  Real x(start = 0, fixed = true), z(start = 0), peak(start = 0), sum(start = 0), w;
equation
  when Clock(slow, "ExplicitRungeKutta4") then
    der(x) = 5*(w - x);
    w = sample(if time >= 0 then 1.0 else 0.0);
    peak = max(previous(peak), subSample(z, 2)*2);
    sum = previous(sum) + peak*w;
  end when;
  when fast then
    z = superSample(x, 2);
  end when;
end ClockStepped;
