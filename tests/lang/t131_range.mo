//! command check {file}
model M
  Real x = sum({1 for i in "a":"b"}); //! error T131
end M;
