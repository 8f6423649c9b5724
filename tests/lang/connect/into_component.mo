model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Part
    Pin p;
  equation
    p.v = p.i;
  end Part;
  model Box
    Part part;
  end Box;
  Box box;
  Pin q;
equation
  connect(q, box.part.p);
end M;
//! command check {file}
//! error T186 17:23
//! message 'box.part.p' lies too deep
