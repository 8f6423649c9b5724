model M
  final final Real x;
end M;
//! error P127 2:9
