//! command simulate {file} --intervals 1.5
//! exit 2
//! message --intervals must be a whole number
model M
end M;
