model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  block B
    Pin p;
    output Real y = 1;
  end B;
  B b;
end M;
//! command check {file}
//! error F115 7:9
