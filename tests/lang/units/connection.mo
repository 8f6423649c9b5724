//! command check {file}
//! message 'a.p' and 'b.p' have different units: "Pa" and "bar"
model M
  connector Out = output Real;
  connector In = input Real;
  model A
    Out p(unit = "Pa") = 1e5;
  end A;
  model B
    In p(unit = "bar");
    In q(unit = "Pa");
  end B;
  A a;
  B b;
equation
  connect(a.p, b.p); //! warning T200
  connect(a.p, b.q);
end M;
