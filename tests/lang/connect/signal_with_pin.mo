model M
  connector RealIn = input Real;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  block B
    RealIn u;
    output Real z = u;
  end B;
  B b;
  Pin p;
equation
  connect(p, b.u);
end M;
//! command check {file}
//! error T182 14:3
//! message one is a single variable, the other has several
