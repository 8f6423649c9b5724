model M
  model Tank
    Real level, flow_;
  equation
    der(level) = flow_;
  end Tank;
  Tank tank1;
  Real z = 1;
end M;
//! command check {file}
//! error F170 1:7
//! message 'M.Tank' has 1 equation for 2 unknowns
//! message tank1
