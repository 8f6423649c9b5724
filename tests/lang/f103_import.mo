//! command check {file}
model M
  import A.B.C; //! error F103
  C c;
end M;
