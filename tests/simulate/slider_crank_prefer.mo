// stateSelect decides: the angle of the crank is good for ever, and two states remain.
//! command simulate {file} --output - --tolerance 1e-8 --stop 4 --intervals 4
//! near phi(4) = 19.0525344423846 within 2e-5
//! near psi(4) = -0.1009652492134 within 1e-5
//! near s(4) = 1.4846425829422 within 1e-5
//! near energy(4) = 13.991955151294984 within 1e-5
//! near missed(4) = 0 within 1e-8
//! stat states = 2
//! stat invariants = 0
model SliderCrankPrefer
  parameter Real r = 0.5, l = 1, J = 1, Jr = 0.1, m = 2;
  Real phi(start = 0.3, fixed = true, stateSelect = StateSelect.prefer);
  Real w(start = 5, fixed = true, stateSelect = StateSelect.prefer);
  Real psi(start = -0.15), wr, s(start = 1.5), v, a, b;
  Real energy = (J*w^2 + Jr*wr^2 + m*v^2)/2;
  Real missed = abs(r*cos(phi) + l*cos(psi) - s) + abs(r*sin(phi) + l*sin(psi));
equation
  der(phi) = w;
  der(psi) = wr;
  der(s) = v;
  r*cos(phi) + l*cos(psi) = s;
  r*sin(phi) + l*sin(psi) = 0;
  J*der(w) = -a*r*sin(phi) + b*r*cos(phi);
  Jr*der(wr) = -a*l*sin(psi) + b*l*cos(psi);
  m*der(v) = -a;
end SliderCrankPrefer;
