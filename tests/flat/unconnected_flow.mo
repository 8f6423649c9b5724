//! command flat {file} --model P.M
//! output a.c.i = 0;
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
  model M
    A a;
  end M;
end P;
