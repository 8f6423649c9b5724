//! command variables {file} nothing
//! exit 1
//! message 'nothing' matches no variable
model M
  Real x = time;
end M;
