model M
  String s = String(1.5, digits = 3);
end M;
//! command check {file}
//! error T161 2:26
//! message did you mean 'significantDigits'?
