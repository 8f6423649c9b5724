//! command check {file} --model P.M
package P
  package Q
  end Q;
  model M
    Q.Missing x; //! error F101
  end M;
end P;
