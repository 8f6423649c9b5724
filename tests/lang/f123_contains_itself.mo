//! command check {file} --model P.M
package P
  model A
    Real x = 1; //! error F123
    A a;
  end A;
  model M
    A a;
  end M;
end P;
