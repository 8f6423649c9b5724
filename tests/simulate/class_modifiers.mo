// A modifier in the definition of a class holds for each element of an array of such components, whether
// it stands in a short definition, in a constraining clause, or in a redeclaration.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near a.c[2].x(1) = 4 within 0
//! near a.c[3].v[2](1) = 6 within 0
//! near b.c[1].x(1) = 9 within 0
//! near b.c[3].q(1) = 1 within 0
//! near b.c[3].v[1](1) = 3 within 0
model ClassModifiers
  model Base
    parameter Real x = 1;
    parameter Boolean q = false;
    parameter Real v[2] = {1, 2};
    Real z = if q then x else sum(v);
  end Base;
  model Own
    extends Base(x = 2);
    parameter Real w = 1;
  end Own;
  model Holder
    parameter Real x = 4;
    parameter Boolean q = true;
    replaceable model C = Base(final x = x, v = {3, 6}) constrainedby Base(q = q, v = {3, 4});
    C c[3](each z(start = 1));
  end Holder;
  Holder a;
  parameter Real nine = 9;
  Holder b(redeclare model C = Own(x = nine), q = true);
end ClassModifiers;
