model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p[2], q[3];
equation
  connect(p, q);
end M;
//! command check {file}
//! error T181 8:3
//! message 'p' has size [2], 'q' has size [3]
