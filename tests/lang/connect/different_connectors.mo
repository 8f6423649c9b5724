model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
  end Flange;
  Pin p;
  Flange f;
equation
  connect(p, f);
end M;
//! command check {file}
//! error T182 13:3
//! message 'p' and 'f' cannot be connected: only 'p' has 'v'
