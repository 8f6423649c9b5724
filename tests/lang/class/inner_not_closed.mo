package P
  model A
    Real x;
end P;
//! error P104 4:1
