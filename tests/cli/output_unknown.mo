//! command simulate {file} --output result.xyz
//! exit 2
//! message 'result.xyz': the ending of a result tells its format, .mat or .csv
//! check test ! -e result.xyz
model M
  Real x = time;
end M;
