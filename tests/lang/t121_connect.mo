//! command check {file} --model P.M
package P
  connector C
    Real v;
    flow Real i;
  end C;
  model A
    C c[2];
  equation
    c[1].v = 0;
    c[2].v = 0;
  end A;
  model M
    A a;
    A b;
  equation
    for k in 1:3 loop
      connect(a.c[k], b.c[1]); //! error T121
    end for;
  end M;
end P;
