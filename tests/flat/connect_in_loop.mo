//! command flat {file} --model P.M
//! output a[2].p.i + a[1].n.i = 0;
//! output a[3].p.i + a[2].n.i = 0;
package P
  connector C
    Real v;
    flow Real i;
  end C;
  model A
    C p;
    C n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end A;
  model G
    C p;
  equation
    p.v = 0;
  end G;
  model M
    A a[3];
    G g;
  equation
    for k in 1:2 loop
      connect(a[k].n, a[k + 1].p);
    end for;
    connect(g.p, a[1].p);
  end M;
end P;
