// Polynomials through the last slow ticks are exact for signals of their degree: here time^2, sampled
// every 0.1 s, seen by a partition that ticks ten times as often. The factor follows from the clocks.
//! command simulate {file} --stop 1 --interval 0.005 --output -
//! near hold.y(0.775) = 0.49 within 1e-12
//! near line.y(0.775) = 0.581 within 1e-12
//! near parabola.y(0.775) = 0.5929 within 1e-12
//! near back.y(0.775) = 0.4761 within 1e-12
model MultirateSignal
  Real u, a, b, c, f;
  Rubato.Multirate.SignalToFast hold(u = u), line(u = u, nP = 1), parabola(u = u, nP = 2);
  Rubato.Multirate.SignalToSlow back(u = f);
  Real s;
equation
  when Clock(1, 10) then
    u = sample(time)^2;
    s = back.y;
  end when;
  when Clock(1, 100) then
    a = hold.y;
    b = line.y;
    c = parabola.y;
    f = sample(time)^2;
  end when;
end MultirateSignal;
