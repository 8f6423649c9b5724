partial M
end M;
//! error P101 1:9
