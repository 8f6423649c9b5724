model M
  flow Real i = 1;
end M;
//! command check {file}
//! error F117 2:13
//! message 'flow' belongs into a connector
