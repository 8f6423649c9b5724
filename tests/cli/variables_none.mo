//! command simulate {file} --variables ^velocity
//! exit 2
//! message --variables '^velocity' matches no variable of the model
model M
  Real x = time;
end M;
