// On the way up and on the way down the process stays on its branch as long as that exists: it switches
// at u = 2/(3 sqrt(3)) and at u = -2/(3 sqrt(3)).
//! command simulate {file} --stop 4 --intervals 400 --output -
//! near z(0) = -1.1914878840 within 1e-7
//! near z(1.76) = -0.6297529347 within 1e-6
//! near z(1.78) = 1.1563971531 within 1e-6
//! near z(2) = 1.1914878840 within 1e-6
//! near z(3.76) = 0.6297529347 within 1e-6
//! near z(3.78) = -1.1563971531 within 1e-6
//! stat theta.jumps >= 2
//! stat events_state >= 2
model Hysteresis
  Real u(start = -0.5, fixed = true), z(start = -1);
equation
  der(u) = if time < 2 then 0.5 else -0.5;
  Rubato.THETA*der(z) = u + z - z^3;
end Hysteresis;
