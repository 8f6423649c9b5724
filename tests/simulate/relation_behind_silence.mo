// Relations on a way that is taken without an event: at the event of `w > 0` the way was another one, so they kept the value
// that they had when they were last computed. Friction of a machine that turns round went on pulling in the old direction.
//! command simulate {file} --output - --quiet --intervals 4
//! near a(1.5) = 0.5 within 1e-9
//! near b(1.5) = 1 within 0
//! near c(1.5) = 2 within 0
//! near d(1.5) = 1 within 0
//! near e(1.5) = 1 within 0
//! near f(1.5) = 1 within 0
//! near g(1.5) = 0.5 within 1e-9
//! near h(1.5) = 7 within 0
//! near p(2) = 0.9 within 1e-5
//! near p(0) = 0 within 0
model relation_behind_silence
  Real w(start = -1, fixed = true), p(start = 0, fixed = true);
  Real a, b, c, d, e, f, g, h;
equation
  der(w) = 1;
  der(p) = if noEvent(abs(w) > 0.1) then (if w > 0 then 1 else 0)*1 else 0;
  a = if noEvent(abs(w) > 0.1) then sign(w)*abs(w) else w;
  b = if noEvent(abs(w) <= 0.1) then 0 elseif w > 0 then 1 else -1;
  c = if noEvent(abs(w) > 0.1) and w > 0 then 2 else 3;
  d = if noEvent(abs(w) <= 0.1) or w < 0 then 0 else 1;
  e = if noEvent(abs(w) > 0.1) then (if b > -2 then (if w > 0 then 1 else -1) else 5) else 0;
  if noEvent(abs(w) > 0.1) then
    f = if w > 0 then 1 else -1;
  else
    f = 0;
  end if;
  g = if noEvent(abs(w) > 0.1) then (if w > 0 then sqrt(w) else sqrt(-w))^2 else 0;
  h = if noEvent(abs(w) > 0.1) then floor(w - 0.001) + 7 else 0;
  annotation(experiment(StopTime = 2));
end relation_behind_silence;
