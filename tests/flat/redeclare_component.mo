//! command flat {file}
//! output Real a.x(start = 1) = 4
model M
  model A
    replaceable Real x(start = 1) = 2;
  end A;
  A a(redeclare Real x = 4);
end M;
