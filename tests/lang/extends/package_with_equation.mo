package P
  constant Real c = 2;
  model M
    Real y = c;
  end M;
equation
  c = 3;
end P;
//! command check --model P.M {file}
//! error F115 6:1
