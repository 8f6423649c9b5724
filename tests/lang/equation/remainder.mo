model M "Integers are not divided"
  Integer n = integer(time); //! error D103
  Integer i;
equation
  2*i = n + 1;
end M;
//! command check {file}
//! message 'i' is no Real, and solving this equation for it might leave a remainder; write i = ...
