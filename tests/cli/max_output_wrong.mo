//! command simulate {file} --max-output much
//! exit 2
//! message --max-output is a number of bytes, as 500M or 20G, not 'much'
model M
end M;
