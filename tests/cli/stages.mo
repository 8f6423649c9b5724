model M
end M;
//! command parse --stages {file}
//! message stage: parse ok
