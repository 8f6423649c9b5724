model M
  redeclare model extends X
  end X;
  Real x = 1;
end M;
//! command check {file}
//! error F121 2:27
