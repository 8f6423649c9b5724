//! command flat {file} --model P.M
//! output a.y = 1;
//! output b.y = 2;
package P
  record Angle
    Real w;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real r[0];
    algorithm
      r := zeros(0);
    end equalityConstraint;
  end Angle;
  connector C
    Angle ref;
    Real v;
    flow Real i;
  end C;
  model S
    C c;
    parameter Integer priority = 0;
    Real y;
  equation
    Connections.potentialRoot(c.ref, priority);
    if Connections.isRoot(c.ref) then
      y = 1;
    else
      y = 2;
    end if;
    if Connections.isRoot(c.ref) then
      c.ref.w = time;
    end if;
    c.v = c.i;
  end S;
  model M
    S a(priority = 1);
    S b(priority = 2);
  equation
    connect(a.c, b.c);
  end M;
end P;
