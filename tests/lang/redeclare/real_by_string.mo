model M
  model A
    replaceable parameter Real p = 1;
  end A;
  A a(redeclare parameter String p = "a");
end M;
//! command check {file}
//! error F143 5:34
