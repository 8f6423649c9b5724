model 3M
end M;
//! error L106 1:7
