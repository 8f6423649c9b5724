// A component that is inner and outer: its name means the one around it, and what lies below finds it.
//! command simulate {file} --output - --stop 1
//! near leaf(1) = 111 within 1e-12
//! near level_(1) = 1 within 1e-12
model InnerAndOuter
  model Level
    parameter Real add = 0;
    Real sum;
  end Level;
  model Leaf
    outer Level level;
    Real y = level.sum;
  end Leaf;
  model Middle
    parameter Real own = 10;
    inner outer Level level(add = own, sum = own + around);
    Real around = level.sum "of the one around";
    Leaf leaf;
  end Middle;
  model Top
    inner outer Level level(add = 100, sum = 100 + around);
    Real around = level.sum;
    Middle middle;
  end Top;
  inner Level level(sum = 1);
  Top top;
  Real leaf = top.middle.leaf.y;
  Real level_ = top.around;
end InnerAndOuter;
