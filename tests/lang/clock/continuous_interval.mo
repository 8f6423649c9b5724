model M
  Real d(start = 1, fixed = true); //! error D140
  Integer n(start = 0);
equation
  der(d) = 1;
  when Clock(d) then
    n = previous(n) + 1;
  end when;
end M;
//! command check {file}
