model M
end M;
end M;
//! error P124 3:1
