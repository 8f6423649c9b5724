model M
  expandable connector Bus
    flow Real i;
  end Bus;
  Bus b;
end M;
//! command check {file}
//! error F118 3:15
