model M
  model A
    replaceable model B
      Real z = 1;
    end B;
    B b;
  end A;
  A a(redeclare Real B);
end M;
//! command check {file}
//! error F141 8:22
