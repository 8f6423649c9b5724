// A redeclared component keeps the condition of the original declaration.
//! command check {file} --model P.M
//! output 1 equation, 1 unknown
package P
  model A
    Real x = time;
  end A;
  model B
    Real x = 2*time;
    Real y = x;
  end B;
  partial model Base
    parameter Boolean use = true;
    replaceable A a if use;
  end Base;
  model M
    extends Base(use=false);
    redeclare B a;
    Real z = 1;
  end M;
end P;
