package P
  constant Real c = 2;
  encapsulated model M
    Real x = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F100 4:14
