//! command check {file} --model P.M
package P
  constant Real c = 1;
  encapsulated model M
    Real x = c; //! error F100
  end M;
end P;
