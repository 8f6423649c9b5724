package P
  constant Real c = 1;
end P;
//! command check {file}
//! error F172 1:9
