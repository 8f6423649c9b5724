model M
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model A
    Port port;
    Real x = inStream(port.p);
  equation
    port.p = 1;
    port.h = 2;
  end A;
  A a;
end M;
//! command check {file}
//! error T150 9:23
//! message 'inStream' needs a stream variable of a connector
