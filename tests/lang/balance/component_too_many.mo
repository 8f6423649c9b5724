model M
  model Tank
    Real level;
  equation
    der(level) = 1;
    level = 2;
  end Tank;
  Tank tank1;
end M;
//! command check {file}
//! error F170 1:7
//! message 'M.Tank' has 2 equations for 1 unknown
