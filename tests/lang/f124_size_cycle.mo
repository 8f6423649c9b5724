//! command check {file}
model M
  parameter Integer n[n[1]] = {1}; //! error F124
end M;
