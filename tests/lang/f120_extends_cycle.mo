//! command check {file} --model P.M
package P
  model A
    extends B;
  end A;
  model B
    extends A; //! error F120
  end B;
  model M
    extends A;
    Real x = 1;
  end M;
end P;
