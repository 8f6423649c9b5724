// Names of predefined types are reserved.
//! command check {file}
model M
  type Real = Integer; //! error F115
  model Boolean end Boolean; //! error F115
  Integer String = 1; //! error F115
end M;
