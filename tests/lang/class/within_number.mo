within 3;
model M
end M;
//! error P101 1:8
