model M
  Real x(start = 0);
  discrete Real d;
equation
  der(x) = 1;
  when x then
    d = 1;
  end when;
end M;
//! command check {file}
//! error T112 6:8
