//! command simulate {file} --interval -0.1
//! exit 2
//! message --interval must be positive, not -0.1
model M
end M;
