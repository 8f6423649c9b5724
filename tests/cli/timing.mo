model M
end M;
//! command parse --timing {file}
//! message parse   
