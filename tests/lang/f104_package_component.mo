//! command check {file}
model M
  package P
    constant Real c = 1;
  end P;
  P p; //! error F104
end M;
