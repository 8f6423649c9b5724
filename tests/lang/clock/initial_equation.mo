model M "clocked variables begin with their start values"
  Real x(start = 1);
initial equation
  x = 3; //! error D145
equation
  when Clock(1, 10) then
    x = previous(x) + 1;
  end when;
end M;
//! command check {file}
//! message clocked variables have no initial equations: they begin with their start values
