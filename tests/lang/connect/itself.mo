model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p;
equation
  connect(p, p);
end M;
//! command check {file}
//! error T187 8:3
//! message connected with itself
