model M
  connector Port
    Real p;
    stream Real h;
  end Port;
  model A
    Port port;
  equation
    port.p = 1;
    port.h = 2;
  end A;
  A a;
end M;
//! command check {file}
//! error F118 2:13
//! message stream variables need exactly one flow variable
