model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  extends f;
end M;
//! command check {file}
//! error F139 8:11
