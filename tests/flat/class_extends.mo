//! command flat {file} --model P.M
//! output Real b.x = 1
//! output Real b.y = b.x
package P
  model Base
    replaceable model Q
      Real x = 1;
    end Q;
  end Base;
  model Derived
    extends Base;
    redeclare model extends Q
      Real y = x;
    end Q;
    Q b;
  end Derived;
  model M
    extends Derived;
  end M;
end P;
