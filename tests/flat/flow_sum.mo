//! command flat {file} --model P.M
//! output a.c.i + b.c.i = 0;
//! output a.c.v = b.c.v;
package P
  connector C
    Real v;
    flow Real i;
  end C;
  model A
    C c;
  equation
    c.v = time;
  end A;
  model B
    C c;
  equation
    c.i = 1;
  end B;
  model M
    A a;
    B b;
  equation
    connect(a.c, b.c);
  end M;
end P;
