model M
  expandable connector Bus
  end Bus;
  Bus b1, b2;
equation
  connect(b1.x, b2.x);
end M;
//! command check {file}
//! error F181 6:14
