model M
  Modelica.Units. x;
end M;
//! error P101 2:20
