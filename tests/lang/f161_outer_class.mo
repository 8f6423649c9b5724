//! command check {file} --model OuterClass.Alone
//! warning F161 8:17
//! output 1 equation
package OuterClass
  model M Real z = 1; end M;
  model N Real y = 1; end N;
  model User
    outer model Inside = M;
    Inside m;
  end User;
  model Alone
    User u;
  end Alone;
end OuterClass;
