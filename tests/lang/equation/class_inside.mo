model M
  Real x, y;
equation
  model A
    Real z;
  end A;
  x = 1;
end M;
//! error P125 4:3
