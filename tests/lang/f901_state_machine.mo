//! command check {file}
model M
  Boolean a = time > 1;
  Boolean active = activeState(a); //! error F901
end M;
