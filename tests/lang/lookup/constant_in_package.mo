package P
  package Constants
    constant Real gravity = 9.81;
  end Constants;
  model M
    Real y = Constants.gravty;
  end M;
end P;
//! command check --model P.M {file}
//! error F100 6:24
//! message did you mean 'gravity'?
