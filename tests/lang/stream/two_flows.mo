model M
  connector Port
    Real p, q;
    flow Real m, n;
    stream Real h;
  end Port;
  model A
    Port port;
  equation
    port.p = 1;
    port.q = 1;
    port.h = 2;
  end A;
  A a;
end M;
//! command check {file}
//! error F118 2:13
