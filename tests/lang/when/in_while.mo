model M
  discrete Real d;
algorithm
  while d < 1 loop
    when time > 2 then
      d := 1;
    end when;
  end while;
end M;
//! command check {file}
//! error T190 5:5
