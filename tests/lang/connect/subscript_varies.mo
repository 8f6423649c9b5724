model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Integer k = integer(time);
  Pin p[2], q;
equation
  connect(p[k], q);
end M;
//! command check {file}
//! error F155 9:3
