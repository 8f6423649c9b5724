//! command check {file}
model M
  type T = Reel; //! error F101
  T x = 1;
end M;
