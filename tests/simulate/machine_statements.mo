// Algorithms, functions with several results, records, assertions and clocked when-clauses in states: they
// hold while the state is active. The assertion of `t` is wrong for the value that `t` keeps.
//! command simulate {file} --output - --stop 1.2 --interval 0.05
//! near s.z(0.05) = 8 within 0
//! near s.z(0.15) = 16 within 0
//! near s.z(0.25) = 16 within 0
//! near s.z(0.45) = 24 within 0
//! near s.w(0.05) = 3 within 0
//! near s.w(0.25) = 16 within 0
//! near s.q(0.45) = 0.0625 within 0
//! near s.p[2](0.35) = 1.125 within 0
//! near s.r.x(0.35) = 16 within 0
//! near s.r.y(0.45) = 48 within 0
//! near t.y(0.25) = 2 within 0
//! near t.m(0.35) = 2 within 0
//! near t.m(0.55) = 1 within 0
//! near t.w(0.35) = 5 within 0
//! near t.w(0.45) = 5 within 0
//! near t.w(0.55) = 1 within 0
model Statements
  record R
    Real x, y;
  end R;
  function f
    input Integer k;
    output Real y;
    output Integer m;
  algorithm
    y := 2*k;
    m := k;
  end f;
  block S
    Integer z(start = 0), w(start = 3);
    Real q(start = 0.5), p[2](start = {1, 2});
    R r;
  algorithm
    z := previous(z) + 2;
    for i in 1:3 loop
      z := z + i;
    end for;
    if z > 15 then
      w := z;
    else
      w := previous(w);
    end if;
    q := previous(q)/2;
    p := {q, q + 1};
  equation
    r = R(z, 2*z);
  end S;
  block T
    Real y(start = 0);
    Integer m(start = 0), w(start = 0);
  equation
    (y, m) = f(previous(m) + 1);
    if m < 2 then
      w = 1;
    else
      w = previous(w) + 4;
    end if;
    assert(m < 3 and sample(time) < 10, "m is too large");
    when Clock() then
      assert(y < 5, "y is too large");
    end when;
  end T;
  S s;
  T t;
  Integer n(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + (if activeState(s) then 1 else 0);
  end when;
  initialState(s);
  transition(s, t, s.z > 15, immediate = false);
  transition(t, s, t.m >= 2, immediate = false, reset = false);
end Statements;
