//! command check {file}
model M
  model extends A //! error F121
    Real x = 1;
  end A;
  A a;
end M;
