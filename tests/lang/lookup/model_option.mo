model M
  Real x = 1;
end M;
//! command check --model N {file}
//! error F101
//! message there is no class 'N'
