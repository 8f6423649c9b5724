//! command check {file}
model M
  parameter Real x[:]; //! error F151
end M;
