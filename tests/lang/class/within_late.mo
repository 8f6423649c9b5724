model M
end M;
within A;
//! error P118 3:1
