model M
  Real x = 1;
equation
  Connections.rot(x);
end M;
//! command check {file}
//! error F111 4:15
//! message did you mean 'root'?
