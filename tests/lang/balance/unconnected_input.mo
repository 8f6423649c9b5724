model M
  block Gain
    input Real u;
    output Real y = 2*u;
  end Gain;
  Gain gain;
end M;
//! command check {file}
//! error F170 1:7
//! message input 'gain.u' gets no value
