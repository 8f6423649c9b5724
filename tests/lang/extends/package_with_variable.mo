package P
  Real x = 1;
  constant Real c = 2;
  model M
    Real y = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F115 2:8
//! message a package can hold constants and classes only
