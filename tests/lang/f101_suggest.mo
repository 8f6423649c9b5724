//! command check {file}
//! message did you mean 'Valve'?
model M
  model Valve
    Real p = 1;
  end Valve;
  Valv v; //! error F101
end M;
