model M
  Real x(start = 0);
equation
  when Clock(1, 10) then
    x = previous(x) + 1;
  end when;
initial algorithm
  x := 3; //! error D145
end M;
//! command check {file}
