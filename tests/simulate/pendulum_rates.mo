// Pendulums that turn fast beside a slow wall, with two rates: their constraints hold where all
// states meet, and the energy of each is kept.
//! command simulate {file} --rates 2 --output - --tolerance 1e-8 --stop 2 --intervals 4
//! near energy[1](2) = 192.152 within 1e-3
//! near energy[2](2) = 442.152 within 1e-3
//! near missed[1](2) = 0 within 1e-7
//! near missed[2](2) = 0 within 1e-7
//! near T[1](2) = 341.5466494 within 1e-4
//! stat invariants = 4
//! stat projections > 0
//! stat states = 48
//! stat levels[1].steps > 5 * levels[0].steps
model PendulumRates
  constant Integer n = 40;
  Real T[n](each start = 300, each fixed = true);
  Real x[2](each start = 0.6, each fixed = true), y[2](each start = -0.8), vx[2];
  Real vy[2](start = {12, 18}, each fixed = true), f[2];
  Real energy[2] = {(vx[i]^2 + vy[i]^2)/2 + 9.81*y[i] for i in 1:2};
  Real missed[2] = {x[i]^2 + y[i]^2 - 1 for i in 1:2};
equation
  for i in 1:2 loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = f[i]*x[i];
    der(vy[i]) = f[i]*y[i] - 9.81;
    x[i]^2 + y[i]^2 = 1;
  end for;
  der(T[1]) = 0.3*(400 - T[1]) - 0.1*(T[1] - T[2]);
  for i in 2:n - 1 loop
    der(T[i]) = 0.1*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = 0.1*(T[n - 1] - T[n]);
end PendulumRates;
