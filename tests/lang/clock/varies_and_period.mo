model M "a counter that varies and a period"
  Integer n(start = 1), m(start = 1);
equation
  when Clock(n, 10) then
    n = previous(n) + 1;
  end when;
  when Clock(1, 10) then //! error D134
    m = n;
  end when;
end M;
//! command check {file}
