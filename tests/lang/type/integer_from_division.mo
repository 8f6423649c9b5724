model M
  Integer n = 4/2;
end M;
//! command check {file}
//! error T101 2:16
//! message '/' of Integers is Real; use div
