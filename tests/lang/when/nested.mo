model M
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then
    when x > 2 then
      reinit(x, 0);
    end when;
  end when;
end M;
//! command check {file}
//! error T190 6:5
//! message a when-clause cannot stand in another one
