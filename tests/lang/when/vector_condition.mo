model M
  discrete Real d;
equation
  when {time > 1, 2} then
    d = 1;
  end when;
end M;
//! command check {file}
//! error T133 4:19
