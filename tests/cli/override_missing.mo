//! command simulate {file} --override nowhere
//! exit 2
//! message cannot read 'nowhere'
model M
end M;
