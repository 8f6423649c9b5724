model M
  final extends A;
end M;
//! error P127 2:3
