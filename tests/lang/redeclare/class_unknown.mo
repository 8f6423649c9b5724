model M
  model A
    replaceable model Pump
      Real z = 1;
    end Pump;
    Pump p;
  end A;
  model C
    Real z = 1;
  end C;
  A a(redeclare model Pumpe = C);
end M;
//! command check {file}
//! error F130 11:23
//! message did you mean 'Pump'?
