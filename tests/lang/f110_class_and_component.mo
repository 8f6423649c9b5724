//! command check {file}
model M
  Real A = 1;
  model A //! error F110
  end A;
end M;
