// A record that is a parameter on the left side of an equation gives the value of the other side.
//! command simulate {file} --output - --stop 1
//! near y.a(1) = 3 within 0
//! near y.b(1) = 4 within 0
model M
  record R
    Real a, b;
  end R;
  parameter R p = R(3, 4);
  R y;
equation
  p = y;
end M;
