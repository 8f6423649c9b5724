// Jumps that travel through a delay whose time changes arrive when time - delay passes them, as events:
// through a growing delay late, backwards through one that grows faster than time, and where the delay
// itself jumps over some of them, at once.
//! command simulate {file} --stop 5 --intervals 50 --tolerance 1e-8 --output -
//! near arrived(5) = 1.33333333333333 within 1e-10
//! near late(1.3) = 0 within 0
//! near late(1.4) = 1 within 0
//! near back(1.4) = 2 within 0
//! near back(1.6) = 5 within 0
//! near back(2.4) = 5 within 0
//! near back(2.6) = 2 within 0
//! near back(3.6) = 5 within 0
//! near turns(5) = 3 within 0
//! near area(5) = 17.5 within 1e-7
//! near over(1.9) = 0 within 0
//! near over(2.1) = 2 within 0
//! near over(4.1) = 2 within 0
//! near over(5) = 4 within 0
//! near wave(5) = -0.737959127 within 1e-5
model DelayChanging
  Real u = if time >= 0.5 then 1 else 0;
  Real late = delay(u, 0.5 + 0.25*time, 10);
  discrete Real arrived(start = 0, fixed = true);
  Real w = if time >= 1 then 5 else 2;
  Real d = 0.5 + (if time < 2 then 0 elseif time < 3 then 2*(time - 2) else 2);
  Real back = delay(w, d, 10);
  Real area(start = 0, fixed = true);
  discrete Integer turns(start = 0, fixed = true);
  discrete Real n(start = 0, fixed = true);
  discrete Real lag(start = 2.5, fixed = true);
  Real over = delay(n, lag, 10);
  Real wave = delay(sin(time), 1 + 0.1*cos(time), 2);
equation
  when late > 0.5 then
    arrived = time;
  end when;
  der(area) = back;
  when {back > 3, back < 3} then
    turns = pre(turns) + 1;
  end when;
  when sample(0.75, 0.75) then
    n = pre(n) + 1;
  end when;
  when time >= 2 then
    lag = 0.1;
  elsewhen time >= 4 then
    lag = 1.9;
  end when;
end DelayChanging;
