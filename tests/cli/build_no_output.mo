model M
end M;
//! command build {file}
//! exit 2
//! message build needs --output FILE
