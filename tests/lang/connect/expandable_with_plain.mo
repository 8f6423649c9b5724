model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  expandable connector Bus
  end Bus;
  Bus b;
  Pin p;
equation
  connect(b, p);
end M;
//! command check {file}
//! error T182 11:3
//! message expandable
