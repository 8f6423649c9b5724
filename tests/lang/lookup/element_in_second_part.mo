model M
  model A
    model B
      Real c = 1;
    end B;
    B b;
  end A;
  A a;
  Real y = a.b.d;
end M;
//! command check {file}
//! error F106 9:16
