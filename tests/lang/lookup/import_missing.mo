model M
  import Nowhere.Thing;
  Thing t;
end M;
//! command check {file}
//! error F103 2:10
//! message import: there is no 'Nowhere'
