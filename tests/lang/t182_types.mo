//! command check {file} --model P.M
package P
  connector A = input Real;
  connector B = input Boolean;
  model M
    A a;
    B b;
  equation
    connect(a, b); //! error T182
  end M;
end P;
