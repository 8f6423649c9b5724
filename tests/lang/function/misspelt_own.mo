model M
  function pressure
    input Real u;
    output Real y;
  algorithm
    y := u;
  end pressure;
  Real x = presure(1);
end M;
//! command check {file}
//! error F111 8:12
//! message did you mean 'pressure'?
