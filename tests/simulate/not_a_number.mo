// A constant or parameter that is not a number is an error, although nothing reads it.
//! command simulate {file} --output -
//! error R103 7:17
//! message the simulation failed at time 0: the value is not a number, in 'c'
//! exit 3
model NotANumber
  constant Real c = log(-1);
  Real x = time;
end NotANumber;
