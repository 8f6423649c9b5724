model M
  model A
    Real x = 1;
  end A;
  type T = A;
  T t;
end M;
//! command check {file}
//! error F139 5:12
