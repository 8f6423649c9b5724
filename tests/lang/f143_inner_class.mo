// The inner class lacks an element of the outer one.
//! command check {file} --model InnerClass.Wrong
//! error F143 11:27
package InnerClass
  model M Real z = 1; end M;
  model N Real y = 1; end N;
  model User
    outer model T = M;
    T m;
  end User;
  model Wrong inner model T = N; User u; end Wrong;
end InnerClass;
