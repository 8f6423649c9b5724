package P
  model Motor
    Real x = 1;
  end Motor;
end P;
//! command check --model P.Moter {file}
//! error F101
//! message there is no class 'Moter' in P; did you mean 'Motor'?
