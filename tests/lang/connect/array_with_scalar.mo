model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p[2], q;
equation
  connect(p, q);
end M;
//! command check {file}
//! error T181 8:3
