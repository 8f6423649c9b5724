model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 0;
    when u > 1 then
      y := u;
    end when;
  end f;
  Real x = f(time);
end M;
//! command check {file}
//! error T193 7:5
//! message a function cannot contain 'when'
