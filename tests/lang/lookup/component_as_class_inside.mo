model M
  model A
    Real b = 1;
  end A;
  A.b y;
end M;
//! command check {file}
//! error F102 5:5
