//! command simulate {file} --interval 0
//! exit 2
//! message --interval must be positive, not 0
model M
end M;
