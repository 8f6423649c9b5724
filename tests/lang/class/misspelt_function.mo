package P
  fucntion f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  model M
    Real z = f(1);
  end M;
end P;
//! error P129 2:3
