// When-clauses with conditions in states. Ticks every 0.5 s; a is active up to tick 5, b at 6, a again from tick 7 on: x
// goes on, and the condition that held before does not become true again. At tick 12 a starts anew: counters too.
//! command simulate {file} --output - --stop 8 --interval 0.25
//! near a.x(1.25) = 1 within 1e-12
//! near a.k(0.75) = 0 within 0
//! near a.k(1.25) = 1 within 0
//! near a.k(1.75) = 1 within 0
//! near a.k(2.25) = 11 within 0
//! near a.any(1.75) = 0 within 0
//! near a.any(2.25) = 1 within 0
//! near a.first(2.25) = 0 within 0
//! near a.kept(2.25) = 2 within 1e-12
//! near a.k(3.75) = 11 within 0
//! near a.k(5.25) = 11 within 0
//! near a.any(4.25) = 1 within 0
//! near a.any(5.25) = 2 within 0
//! near a.x(6.25) = 0 within 1e-12
//! near a.k(6.25) = 0 within 0
//! near a.any(6.25) = 0 within 0
//! near a.k(7.25) = 1 within 0
//! near now(3.25) = 2 within 0
model When
  block A
    Real x(start = 0, fixed = true);
    Integer k(start = 0), any(start = 0), first(start = 0);
    Real kept(start = 0);
  equation
    der(x) = 1;
    when x > 0.8 then
      k = pre(k) + 1;
      kept = -1;
    elsewhen x > 1.7 then
      k = pre(k) + 10;
      kept = x;
    end when;
    when {x > 1.9, x > 3.9} then
      any = pre(any) + 1;
      assert(x > 1.5, "only then");
    end when;
    when x >= 0 then // holds at the start: it never becomes true
      first = 1;
    end when;
  end A;
  block B
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end B;
  A a;
  B b;
  Integer n(start = -1);
  Integer now = if activeState(a) then 1 else 2;
equation
  when Clock(Clock(1, 2), "ExplicitEuler") then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, n == 6 or n == 11);
  transition(b, a, n == 7, reset = false);
  transition(b, a, n == 12, priority = 2);
end When;
