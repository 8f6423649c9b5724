model M "prefixes that clocks do not have"
  parameter Clock a = Clock(1, 10); //! error T196
  constant Clock b = Clock(1, 10); //! error T196
  discrete Clock c = Clock(1, 10); //! error T196
  connector F
    Real e;
    flow Clock k; //! error T185
    stream Clock s; //! error T185
  end F;
  F f;
end M;
//! command check {file}
//! message clock 'a' cannot be a parameter
//! message clock 'b' cannot be a constant
//! message clock 'c' cannot be discrete
