//! command check {file}
model M
  partial model A
    Real x = 1;
  end A;
  model B
    replaceable A a; //! error F105
  end B;
  B b;
end M;
