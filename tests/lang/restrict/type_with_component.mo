//! command check {file}
model M
  type T
    extends Real;
    Real x; //! error F115
  end T;
  T t = 1;
end M;
