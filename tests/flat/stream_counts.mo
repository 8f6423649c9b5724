//! command check {file} --model P.M
//! output equations, 
package P
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Source
    Port c;
  equation
    c.m = -1;
    c.h = time;
  end Source;
  model Volume
    Port c;
    Real T;
  equation
    c.p = 1;
    c.h = T;
    T = actualStream(c.h) + inStream(c.h);
  end Volume;
  model Wrapped
    Port c;
    Source s;
  equation
    connect(s.c, c);
  end Wrapped;
  model M
    Wrapped s;
    Volume v;
  equation
    connect(s.c, v.c);
  end M;
end P;
