//! command flat {file} --model P.M
//! output parameter Real a.b.k = 9
package P
  model R
    parameter Real k = 1;
    Real y = k;
  end R;
  model S
    extends R;
    Real z = 2*k;
  end S;
  model A
    replaceable R b constrainedby R(k = 9);
  end A;
  model M
    A a(redeclare S b);
  end M;
end P;
