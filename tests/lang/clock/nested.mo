model M
  Real x;
equation
  when Clock(0.1) then
    when Clock(0.2) then
      x = 2;
    end when;
  end when;
end M;
//! command check {file}
//! error T190 5:5
