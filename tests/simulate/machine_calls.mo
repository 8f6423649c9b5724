// Records, several results of a call and impure functions in when-clauses of states. The clauses fire at n = 1, n = 2 (the
// second element of the condition) and n = 5. count() is called once at each of these, so it gives 1, 2, 3; x is
// increased by 10 at each. At n = 6 the other state is active.
//! command simulate {file} --output - --stop 6.75 --interval 0.5 --trust
//! near a.k(0.5) = 0 within 0
//! near a.k(1.5) = 1 within 0
//! near a.k(2.5) = 2 within 0
//! near a.k(4.5) = 2 within 0
//! near a.k(5.5) = 3 within 0
//! near a.k(6.5) = 3 within 0
//! near a.x(1.5) = 10 within 0
//! near a.x(2.5) = 20 within 0
//! near a.x(5.5) = 30 within 0
//! near a.x(6.5) = 30 within 0
//! near a.double(1.5) = 2 within 0
//! near a.double(2.5) = 4 within 0
//! near a.half(5.5) = 2.5 within 0
//! near a.half(6.5) = 2.5 within 0
//! near a.r.x(2.5) = 6 within 0
//! near a.r.n(5.5) = 5 within 0
//! near a.q.n(5.5) = 0 within 0
//! near a.q.x(3.5) = 3 within 0
//! near a.q.n(3.5) = -3 within 0
//! near a.v[2](2.5) = 4 within 0
model Calls
  record R
    Real x(start = 0);
    Integer n(start = 0);
  end R;
  impure function count
    output Integer n;
  external "C" n = machine_calls_count()
    annotation (Include = "static int machine_calls; static int machine_calls_count(void) { return ++machine_calls; }");
  end count;
  function both
    input Integer n;
    output Integer double;
    output Real half;
  algorithm
    double := 2*n;
    half := n/2;
  end both;
  function make
    input Integer n;
    output R r;
  algorithm
    r := R(3*n, n);
  end make;
  block A
    input Integer n;
    Integer k(start = 0), double(start = 0), v[2](each start = 0);
    Real half(start = 0), x(start = 0, fixed = true);
    R r, q;
  equation
    der(x) = 0;
    when {n == 1 or n == 5, n == 2} then
      k = count();
      (double, half) = both(n);
      r = make(n);
      v = {n, 2*n};
      reinit(x, x + 10);
    end when;
    when n == 3 then
      q = R(n, -n);
    elsewhen n == 5 then
      q = R(0, 0);
    end when;
  end A;
  block B
  end B;
  A a(n = n);
  B b;
  Integer n(start = -1);
equation
  when Clock(Clock(1, 1), "ExplicitEuler") then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, n == 6);
end Calls;
