package P
  constant Real c;
  model M
    Real x = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F126 2:17
