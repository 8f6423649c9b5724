expandable model M
end M;
//! error P127 1:12
