//! command flat {file} --model P.M
//! output -h.c.i + h.a.c.i = 0;
//! output h.c.i + b.c.i = 0;
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
  model H
    C c;
    A a;
  equation
    connect(c, a.c);
  end H;
  model M
    H h;
    B b;
  equation
    connect(h.c, b.c);
  end M;
end P;
