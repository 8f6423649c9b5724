model A
end A
model B
end B;
//! error P102 2:6
