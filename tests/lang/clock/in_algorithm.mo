model M "a clocked when-clause holds equations"
  Real x;
algorithm
  when Clock(0.1) then //! error T195
    x := 1;
  end when;
end M;
//! command check {file}
//! message a clocked when-clause cannot stand in an algorithm
