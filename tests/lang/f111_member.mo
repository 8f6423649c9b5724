//! command check {file} --model P.M
package P
  package Math
    function f
      input Real u;
      output Real y;
    algorithm
      y := u;
    end f;
  end Math;
  model M
    Real x = Math.g(1); //! error F111
  end M;
end P;
