model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p[2], q[2];
equation
  connect(p, q);
  connect(p[1], q[5]);
end M;
//! command check {file}
//! error T121 9:19
