model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p[2], q[2];
equation
  for k in 1:2 loop
    connect(p[k], q[k + 1]);
  end for;
end M;
//! command check {file}
//! error T121 9:23
