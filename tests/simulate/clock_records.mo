// Operators of clocks take records field by field (16.4, 16.5), also of functions, and records in arrays.
//! command simulate {file} --output - --stop 0.55 --interval 0.05
//! near p.a(0.45) = 0.3 within 1e-12
//! near p.b(0.45) = 4 within 0
//! near p.f[2](0.45) = 0 within 0
//! near h.b(0.05) = 1 within 0
//! near h.b(0.45) = 5 within 0
//! near sub.b(0.35) = 3 within 0
//! near sup.b(0.35) = 3 within 0
//! near shifted.b(0.15) = 1 within 0
//! near shifted.b(0.25) = 1 within 0
//! near shifted.b(0.45) = 3 within 0
//! near shifted.b(0.55) = 5 within 0
//! near back.b(0.15) = 1 within 0
//! near back.b(0.45) = 3 within 0
//! near any.a(0.45) = 0.4 within 1e-12
//! near two[2].b(0.45) = 14 within 0
//! near before[1].b(0.45) = 13 within 0
model ClockRecords
  record R
    Real a;
    Integer b;
    Boolean f[2];
  end R;
  function next
    input R old;
    input Real a;
    output R new;
  algorithm
    new := R(a, old.b + 1, {true, not old.f[2]});
  end next;
  R c(a(start = 0), b(start = 0), f(each start = false)), p, h, sub, sup, back, any;
  R shifted(a(start = 0), b(start = 1), f(each start = false));
  R u(a = time, b = integer(10*time + 10.5), f = {true, time > 0}), two[2], before[2];
equation
  when Clock(1, 10) then
    c = next(previous(c), sample(time));
  end when;
  p = previous(c);
  h = hold(c);
  sub = subSample(c, 2);
  sup = superSample(sub, 2);
  shifted = shiftSample(sub, 1, 2);
  back = backSample(shifted, 1, 2);
  when Clock(1, 10) then
    two = {sample(u), sample(u)};
    any = noClock(c);
  end when;
  before = previous(two);
end ClockRecords;
