//! command check {file}
model M
  model A
    Real x = 1;
  end A;
  A a(redeclare Real x = 2); //! error F142
end M;
