//! command check {file}
model M
  discrete Real x;
equation
  when time then //! error T112
    x = 1;
  end when;
end M;
