//! command check {file} --library {dir}/../library/input/libs
//! error F101 6:3
//! message a library 'Missing' was searched in:
//! message library/input/libs
model M
  Missing.Part p;
end M;
