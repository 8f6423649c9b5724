model M
  partial model Port
    Real u;
  end Port;
  model Bad
    Real v = 1;
  end Bad;
  replaceable model B = Bad constrainedby Port;
  B b;
end M;
//! command check {file}
//! error F143 8:21
