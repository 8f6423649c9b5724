model M
  Real x;
algorithm
  x := 0;
  if "yes" then
    x := 1;
  end if;
end M;
//! command check {file}
//! error T112 5:6
