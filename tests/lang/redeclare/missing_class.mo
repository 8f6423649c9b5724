model M
  model A
    replaceable model B
      Real z = 1;
    end B;
    B b;
  end A;
  A a(redeclare model B = Nothing);
end M;
//! command check {file}
//! error F101 8:27
