model M
  connector Pin
    Real v;
    Real w;
    flow Real i;
  end Pin;
  model A
    Pin p;
  equation
    p.v = 1;
    p.w = 2;
  end A;
  A a;
end M;
//! command check {file}
//! error F118 2:13
//! message connector 'M.Pin' has 1 flow variable for 2 potentials
