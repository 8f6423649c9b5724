model M
  model A
    parameter Real gain = 1;
    Real x = gain;
  end A;
  model B = A(gian = 2);
  B b;
end M;
//! command check {file}
//! error F130 6:15
//! message did you mean 'gain'?
