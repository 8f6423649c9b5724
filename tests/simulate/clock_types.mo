// All types of variables through sample and hold; loops, conditions, records and an assertion in a
// clocked when-clause. An assertion of a slow partition is looked at at its ticks only.
//! command simulate {file} --output - --stop 1.05 --interval 0.05
//! near g(0.02) = 1 within 0
//! near g(0.65) = 3 within 0
//! near b(0.33) = 0 within 0
//! near b(0.43) = 1 within 0
//! near i[2](0.5) = 10 within 0
//! near s(1.05) = 8 within 0
//! near q.q(1.05) = 12 within 0
//! near q.p(0.9) = 0.8 within 1e-12
model ClockTypes
  type E = enumeration(a, b, c);
  record R
    Real p;
    Integer q;
  end R;
  E e, f(start = E.b), g;
  Boolean b;
  Integer i[3];
  Real x[3](each start = 0.05, each fixed = true), y[3], s(start = 5);
  R r, q;
equation
  e = if time > 0.5 then E.c else E.a;
  f = sample(e, Clock(1, 10));
  g = hold(f);
  b = sample(time > 0.35, Clock(1, 20));
  der(x) = {1, 2, 3};
  when Clock(1, 5) then
    for k in 1:3 loop
      y[k] = sample(x[k]);
      i[k] = integer(10*y[k]) + k;
    end for;
    if y[1] > 0.5 then
      s = previous(s) + 1;
    else
      s = previous(s);
    end if;
    r.p = sample(time);
    r.q = if firstTick() then 7 else previous(r.q) + 1;
    assert(r.q < 100, "too many");
  end when;
  q.p = hold(r.p);
  q.q = hold(r.q);
end ClockTypes;
