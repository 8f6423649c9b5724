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
  Connections.branch(c1.R, c2.R);
  c1.R.a = 1;
  c2.R.a = 1;
end M;
//! command check {file}
//! error F183 18:3
//! message no root
