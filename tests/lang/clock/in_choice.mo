model M "a clock does not begin to tick"
  Real x;
  Boolean b = time > 1;
equation
  if b then
    when Clock(1, 10) then //! error T190
      x = 1;
    end when;
  else
    x = 2;
  end if;
end M;
//! command check {file}
