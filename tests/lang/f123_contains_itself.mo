//! command check {file} --model P.M
package P
  model A
    Real x = 1;
    A a; //! error F123
  end A;
  model M
    A a;
  end M;
end P;
