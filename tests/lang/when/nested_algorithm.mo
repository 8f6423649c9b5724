model M
  Integer n(start = 0);
algorithm
  when time > 1 then
    when time > 2 then
      n := 1;
    end when;
  end when;
end M;
//! command check {file}
//! error T190 5:5
