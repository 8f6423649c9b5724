// An outer class needs an inner one around it, which can stand for it.
//! command check {file} --model OuterClass.Alone
//! error F160 11:20
//! error F109 12:14
package OuterClass
  partial function A
    input Real u;
    output Real y;
  end A;
  model User
    outer function f = A;
    Real y = f(time);
  end User;
  model Alone
    User u;
  end Alone;
end OuterClass;
