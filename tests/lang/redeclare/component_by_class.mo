model M
  model A
    replaceable Real x = 1;
  end A;
  A a(redeclare model x = A);
end M;
//! command check {file}
//! error F141 5:23
//! message 'x' is a component and cannot become a class
