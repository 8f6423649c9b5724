model M
  discrete Real d, e;
equation
  when time > 1 then
    d + e = 1;
  end when;
  e = 1;
end M;
//! command check {file}
//! error T191 5:7
//! message a variable must stand alone at the left
