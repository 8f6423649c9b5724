// Records that several states determine, by fields and as a whole. States take turns.
//! command simulate {file} --output - --stop 5 --interval 0.5
//! near r.x(0.5) = 1 within 1e-12
//! near r.n(0.5) = 1 within 0
//! near r.p.b(0.5) = 1 within 0
//! near r.x(1.5) = 3 within 1e-12
//! near r.n(1.5) = 11 within 0
//! near r.p.b(1.5) = 0 within 0
//! near r.x(2.5) = 4 within 1e-12
//! near r.n(2.5) = 12 within 0
//! near r.x(3.5) = 12 within 1e-12
//! near total(3.5) = 34 within 1e-12
model Records
  record P
    Boolean b(start = false);
  end P;
  record R
    Real x(start = 0);
    Integer n(start = 0);
    P p;
  end R;
  inner R r;
  Real total = r.x + r.n;
  block Fields
    outer output R r;
  equation
    r.x = previous(r.x) + 1;
    r.n = previous(r.n) + 1;
    r.p.b = true;
  end Fields;
  block Whole
    outer output R r;
  equation
    r = R(3*previous(r.x), previous(r.n) + 10, P(false));
  end Whole;
  Fields a;
  Whole b;
equation
  initialState(a);
  transition(a, b, true, immediate = false);
  transition(b, a, true, immediate = false);
  when Clock(1, 1) then
    assert(r.n < 100, "many");
  end when;
end Records;
