model M
  record Frame
    Real a;
    function equalityConstraint
      input Frame f1;
      input Frame f2;
      output Real residue[1];
    algorithm
      residue := {f1.a - f2.a};
    end equalityConstraint;
  end Frame;
  connector C
    Frame R;
    flow Real t;
  end C;
  C c1, c2;
equation
  Connections.root(c1.R);
  Connections.root(c2.R);
  Connections.branch(c1.R, c2.R);
  c1.R.a = 1;
  c2.R.a = 1;
end M;
//! command check {file}
//! error F180 20:3
//! message 'c1.R' and 'c2.R'
