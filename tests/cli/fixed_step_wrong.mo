//! command simulate {file} --fixed-step 0
//! exit 2
//! message --fixed-step must be positive, not 0
model M
end M;
