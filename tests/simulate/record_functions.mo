// Records with arrays in records, through a function, as variables and as parameters that another
// component uses.
//! command simulate {file} --stop 1 --output -
//! near y(1) = 10 within 1e-9
//! near c.k(1) = 5 within 0
model RecordFunctions
  record Q
    Real v[2] = {1, 2};
    Integer n = 5;
  end Q;
  record P
    extends Q(n=7);
    Q q;
  end P;
  function f
    input P p;
    output Q r;
  algorithm
    r := Q(v=p.v + p.q.v, n=p.n - 2);
  end f;
  P p(v={time, 2*time}, q(v={3, 4}));
  Q r = f(p);
  Real y = sum(r.v);
  model C
    parameter Integer k = 1;
  end C;
  C c(k=r2.n);
  parameter P p2;
  parameter Q r2 = f(p2);
end RecordFunctions;
