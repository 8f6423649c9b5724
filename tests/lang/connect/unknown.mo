model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p;
equation
  connect(p, q);
end M;
//! command check {file}
//! error F100 8:14
