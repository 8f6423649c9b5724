package P
  model A
    Real x = 1 +;
  end A;
  model B
    Real y;
  equation
    y == 2;
  end B;
  function f
    input Real u;
    output Real v;
  algorithm
    v = u;
  end f;
  model C
    Real z;
  end C
end P;
//! error P106 3:17
//! error P113 8:7
//! error P108 14:7
//! error P102 18:8
