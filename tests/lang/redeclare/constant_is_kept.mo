model M
  model A
    replaceable constant Real c = 1;
  end A;
  A a(redeclare parameter Real c = 2);
end M;
//! command check {file}
//! error F144 5:32
