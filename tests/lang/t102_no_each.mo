// 'each' helps only where the value has too few dimensions.
//! command check {file}
//! check {rubato} check {file} 2>&1 | grep -q "'x' is Real\[3\], but its value is Integer\[2\]$"
model M
  Real x[3] = {1, 2}; //! error T102
end M;
