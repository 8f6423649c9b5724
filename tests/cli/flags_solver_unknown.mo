//! command simulate {file} -s=qss
//! exit 2
//! message -s=qss: there is no such solver here; known are dassl ida cvode
model M
end M;
