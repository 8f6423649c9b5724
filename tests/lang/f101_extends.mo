//! command check {file}
model M
  extends Base; //! error F101
  Real x = 1;
end M;
