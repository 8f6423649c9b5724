model M
  connector Pin
    flow Real i;
  end Pin;
  model A
    Pin p;
  end A;
  A a;
end M;
//! command check {file}
//! error F118 2:13
