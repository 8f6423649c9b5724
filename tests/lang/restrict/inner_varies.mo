// What an outer parameter stands for must not vary; a variable may stand for a parameter.
//! command check {file}
model M
  inner Real x = time;
  inner parameter Real p = 1;
  model A
    outer parameter Real x; //! error F162
    outer Real p;
    Real y = x + p;
  end A;
  A a;
end M;
