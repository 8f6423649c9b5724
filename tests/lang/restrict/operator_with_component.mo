//! command check {file}
model M
  operator record C
    Real re;
    operator '+'
      Real x; //! error F115
    end '+';
  end C;
  C c(re = 1);
end M;
