// A record has public elements only, a package may have others.
//! command check {file}
model M
  record R
    Real x = 1;
  protected
    Real y = 2; //! error F115
  end R;
  package P
  protected
    constant Real c = 1;
  end P;
  R r;
end M;
