model M
  Real a = 1 $ 2;
  Real b = 1 ? 2;
  Real c = 1 @ 2;
  Real d = 1 ` 2;
  Real e = 1 ~ 2;
end M;
//! error L101 2:14
//! error L101 3:14
//! error L101 4:14
//! error L101 5:14
//! error L101 6:14
