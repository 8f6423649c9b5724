model M
  model Tank
    Real level = 1;
  end Tank;
  Tank tank;
  Real h = tank.levl;
end M;
//! command check {file}
//! error F106 6:17
//! message 'tank' has no element 'levl'; did you mean 'level'?
