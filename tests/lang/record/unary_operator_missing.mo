model M
  operator record C
    Real re;
  end C;
  C x = C(1);
  C z = -x;
end M;
//! command check {file}
//! error T141 6:9
