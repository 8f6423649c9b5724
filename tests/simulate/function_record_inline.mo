// A function that fills a record is written out field by field, also where a field is the result of
// another call: the fields that are inputs give equations for them.
//! command simulate {file} --model P.M --stop 1 --intervals 1 --output -
//! near p(1) = 3 within 1e-9
//! near s.d(1) = 7 within 1e-9
package P
  record State
    Real p;
    Real h;
    Real d;
  end State;

  function density
    input Real p;
    input Real h;
    output Real d;
  algorithm
    d := 2*p + h;
    annotation (Inline = false);
  end density;

  function set
    input Real p;
    input Real h;
    output State s;
  algorithm
    s := State(p = p, h = h, d = density(p, h));
    annotation (Inline = true);
  end set;

  model M
    State s;
    Real p;
    parameter Real h = 1;
  equation
    s = set(p, h);
    s.p = 2 + time;
  end M;
end P;
