model M
  model A
    Real x = 1;
  end A;
  A a = 3;
end M;
//! command check {file}
//! error T108 5:9
//! message 'a' is a model
