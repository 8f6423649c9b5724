// Two dry frictions hold the same shaft. How they share its load is open: the smallest change of what they had. The weaker
// one reaches its limit first and slides from then on, while the other one still holds the shaft at rest: its relation
// is at its border all the time, in all rounds of the event as well. Then both slide.
//! command simulate {file} --output - --stop 4 --interval 0.05
//! near strong.sa(1) = 0.5 within 1e-9
//! near weak.sa(1) = 0.5 within 1e-9
//! near weak.slides(1.9) = 0 within 0
//! near weak.slides(2.1) = 1 within 0
//! near strong.slides(2.1) = 0 within 0
//! near strong.sa(2.5) = 1.5 within 1e-9
//! near w(2.9) = 0 within 1e-12
//! near strong.slides(3.1) = 1 within 0
//! near w(4) = 0.5 within 1e-6
model FrictionShared
  model Friction
    parameter Real limit;
    Real a, tau, sa "The acceleration beyond the limit where it slides, the torque where it holds";
    Boolean slides;
  equation
    slides = sa > limit;
    tau = if slides then limit else sa;
    a = if slides then sa - limit else 0;
  end Friction;
  Friction weak(limit = 1), strong(limit = 2);
  Real w(start = 0, fixed = true);
equation
  der(w) = time - weak.tau - strong.tau;
  weak.a = der(w);
  strong.a = der(w);
end FrictionShared;
