// The value of a record counts more than what its class gives to records inside it, a redeclared
// component keeps its value, and a field of a field is taken of every branch.
//! command simulate {file} --model P.M --stop 1 --intervals 1 --output -
//! near unit[1,1].link[2].x(0) = 20 within 0
//! near unit[2,1].link[2].x(0) = 2 within 0
//! near unit[1,1].link[1].T(0) = 3 within 0
//! near set.given.link[1].k(0) = 7 within 0
//! near own.link[2].k(0) = 9 within 0
package P
  record Link
    parameter Real k = 1;
    parameter Real T = 2;
  end Link;

  record Part
    parameter Real q = 1;
    parameter Link link[2](k = {1, 2}, T = {3, 4});
  end Part;

  record Base
    parameter Integer n;
    parameter Integer worn = 1;
    replaceable parameter Part given(link(k = {5, 6}));
    replaceable parameter Part old;
    replaceable parameter Part part[n, 1] =
      {{if i == worn then old else given for j in 1:1} for i in 1:n};
  end Base;

  record Set
    extends Base(redeclare Part given, redeclare Part old, redeclare Part part);
  end Set;

  model Lag
    parameter Real k;
    parameter Real T;
    Real x(start = k, fixed = true);
  equation
    der(x) = -x/T;
  end Lag;

  model Unit
    parameter Part part;
    Lag link[2](k = part.link.k, T = part.link.T);
  end Unit;

  model M
    parameter Part fresh(q = 3);
    parameter Part used(q = 4, link(k = {10, 20}));
    parameter Part other(link(k = {7, 8}));
    parameter Part own(link(k = {7, 9})) = fresh;
    parameter Base set(n = 1, given = other, old = used);
    parameter Set both(n = 2, given = fresh, old = used);
    Unit unit[2, 1](part = both.part);
  end M;
end P;
