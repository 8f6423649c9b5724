//! command check {file}
model M
  Real x = -true; //! error T141
end M;
