//! command check {file}
model M
  model A
    replaceable Real x = 1;
  end A;
  A a(redeclare Real x[2] = {3, 4}); //! error F143
end M;
