model M
  expandable connector Bus
  end Bus;
  Bus b;
  Real y = b.speed;
end M;
//! command check {file}
//! error F106 5:14
