//! command check {file}
model M
  partial model A
    Real x = 1;
  end A;
  A a; //! error F105
end M;
