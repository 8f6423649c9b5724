model M
  model A
    replaceable model B
      Real z = 1;
    end B;
    B b;
  end A;
  A a(B = 3);
end M;
//! command check {file}
//! error F137 8:7
