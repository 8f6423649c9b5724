model M
  redeclare model extends
  end X;
end M;
//! error P115 3:3
