//! command check {file}
model M
  connector In = input Real;
  connector Out = output Real;
  model Base
    Out y = 1;
    In u;
    In v;
  equation
    connect(y, u);
  end Base;
  model B
    extends Base(
      break connect(u, v)); //! error F146 14:7
  end B;
  B b(v = 2);
end M;
