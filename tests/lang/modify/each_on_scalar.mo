model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  A a(each p = 2);
end M;
//! command check {file}
//! warning F132 6:12
//! message 'each' has no meaning here: neither 'a' nor a component around it is an array
