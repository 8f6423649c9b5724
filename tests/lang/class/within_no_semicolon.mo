within A.B
model M
end M;
//! error P102 1:11
