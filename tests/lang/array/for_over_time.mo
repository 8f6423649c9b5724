model M
  Real x[3];
equation
  for i in 1:integer(time) loop
    x[i] = 1;
  end for;
end M;
//! command check {file}
//! error F154 4:13
