//! command check {file}
model M
  model A
    Real x = 1;
  end A;
  input A a; //! error F115
end M;
