//! command check {file} --model P.M
package P
  connector In = input Real;
  connector Out = output Real;
  block Gain
    In u;
    Out y;
  equation
    y = 2*u;
  end Gain;
  model M //! error F170
    Gain g;
  end M;
end P;
