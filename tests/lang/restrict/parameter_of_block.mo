//! command check {file}
model M
  block A
    Real x = 1;
  end A;
  parameter A a; //! error F115
end M;
