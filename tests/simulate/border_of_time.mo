// Functions of time alone that stand on a border at the start, or after an event, and move off it:
// rounding errors of the formula keep them there for longer than the resolution of time.
//! command simulate {file} --model M --stop 3 --intervals 10 --output -
//! near down(0.3) = 1 within 0
//! near modulus(0.6) = 0.4 within 1e-12
//! near remainder(0.6) = 0.4 within 1e-12
//! near quotient(0.3) = 1 within 0
//! near after(0.3) = 2 within 0
//! near after(1.8) = 2 within 0
//! near after(2.4) = 2 within 0
//! near after(2.7) = 1 within 0
//! near large(0.3) = 1 within 0
//! near raised(0.3) = 1 within 0
//! near wave(0.3) = 1 within 0
model M
  Real u = 2 - time, t0 = time - 1000;
  discrete Real d(start = 0, fixed = true);
  parameter Real L = 1e6;
  Real down = floor(u), modulus = mod(u, 1), remainder = rem(u, 1), quotient = div(u, 1),
    after = floor(3 - (time - d));
  Boolean large = L - time < L, raised = t0 > -1000, wave = sin(time + 1) > sin(1);
equation
  when time > 1.5 then
    d = time;
  end when;
end M;
