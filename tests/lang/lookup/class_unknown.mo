model M
  Turbine t;
end M;
//! command check {file}
//! error F101 2:3
//! message there is no class 'Turbine' in 'M'
