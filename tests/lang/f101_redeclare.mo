//! command check {file}
model M
  model A
    replaceable model B
      Real x = 1;
    end B;
    B b;
  end A;
  A a(redeclare model B = Missing); //! error F101
end M;
